import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the preview reads of a dashboard file; the rest is for Grafana. */
export interface DashboardFile {
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  readonly templating: { readonly list: readonly VariableFile[] };
  readonly annotations: { readonly list: readonly AnnotationFile[] };
  readonly links: readonly { readonly title: string; readonly asDropdown: boolean }[];
  readonly panels: readonly (RowFile | PanelFile)[];
}

/** What is a vertical line in every chart where it is above 0. */
export interface AnnotationFile {
  readonly expr: string;
  readonly iconColor: string;
}

export interface VariableFile {
  readonly name: string;
  readonly label: string;
  readonly type: 'datasource' | 'query' | 'custom';
  readonly definition?: string;
  readonly allValue?: string;
  readonly current?: { readonly text: string; readonly value: string };
}

/** A place in Grafana's grid of 24 columns. */
export interface GridPosition {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A heading. */
export interface RowFile {
  readonly type: 'row';
  readonly title: string;
  readonly gridPos: GridPosition;
}

export interface PanelFile {
  readonly type: 'stat' | 'timeseries' | 'table' | 'heatmap';
  readonly title: string;
  readonly description: string;
  readonly gridPos: GridPosition;
  readonly targets: readonly Target[];
  readonly fieldConfig: {
    readonly defaults: FieldDefaults;
    readonly overrides: readonly Override[];
  };
  readonly options: {
    readonly legend?: Legend;
    readonly sortBy?: readonly { readonly displayName: string; readonly desc: boolean }[];
  };
  readonly transformations?: readonly {
    readonly id: string;
    readonly options: {
      readonly excludeByName?: Readonly<Record<string, boolean>>;
      readonly renameByName?: Readonly<Record<string, string>>;
      readonly indexByName?: Readonly<Record<string, number>>;
    };
  }[];
}

export interface Legend {
  readonly displayMode: 'list' | 'table';
  readonly placement: 'bottom' | 'right';
  readonly sortBy?: string;
  readonly sortDesc?: boolean;
}

export interface Target {
  readonly refId: string;
  readonly expr: string;
  readonly legendFormat: string;
  readonly instant: boolean;
}

/** From a value on (`null`: from the beginning), a colour by Grafana's name. */
export interface Threshold {
  readonly color: string;
  readonly value: number | null;
}

export interface FieldDefaults {
  readonly unit: string;
  readonly noValue?: string;
  readonly min?: number;
  readonly max?: number;
  readonly thresholds: { readonly steps: readonly Threshold[] };
  readonly custom?: {
    readonly fillOpacity: number;
    readonly stacking: { readonly mode: 'none' | 'normal' };
    readonly thresholdsStyle: { readonly mode: 'off' | 'dashed' };
  };
}

/** What is different for the series or the column of this name. */
export interface Override {
  readonly matcher: { readonly id: string; readonly options: string };
  readonly properties: readonly {
    readonly id: string;
    readonly value: { readonly fixedColor?: string } | readonly unknown[];
  }[];
}

const DRAWN = ['row', 'stat', 'timeseries', 'table', 'heatmap'];

/** All dashboards of a folder, by their file names. @throws where a panel is of a kind that the preview cannot draw */
export function readDashboards(folder: string): DashboardFile[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => {
    const file = JSON.parse(readFileSync(join(folder, name), 'utf8')) as DashboardFile;
    for (const { type, title } of file.panels) {
      if (!DRAWN.includes(type)) throw new Error(`${name}: "${title}" is a ${type}`);
    }
    return file;
  });
}
