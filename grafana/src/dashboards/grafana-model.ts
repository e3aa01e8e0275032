/**
 * Grafana's classic model of a dashboard, as far as these files use it: a field that is misspelt here, or of the wrong kind, is a
 * fault that Grafana itself would pass over in silence.
 */
export interface DashboardJson {
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly schemaVersion: number;
  readonly version: number;
  readonly editable: boolean;
  /** 1: a crosshair in all charts. */
  readonly graphTooltip: 0 | 1 | 2;
  readonly time: { readonly from: string; readonly to: string };
  readonly refresh: string;
  readonly timezone: 'browser' | 'utc';
  readonly templating: { readonly list: readonly VariableJson[] };
  readonly annotations: { readonly list: readonly AnnotationJson[] };
  readonly links: readonly DashboardLinkJson[];
  readonly panels: readonly (RowJson | PanelJson)[];
}

export interface DatasourceJson {
  readonly type: string;
  readonly uid: string;
}

interface OptionJson {
  readonly selected: boolean;
  readonly text: string;
  readonly value: string;
}

/** 1: when the dashboard is opened; 2: when its time changes. */
type Refresh = 1 | 2;

interface VariableBase {
  readonly name: string;
  readonly label: string;
  readonly current?: OptionJson;
  /** 0: shown; 2: never. */
  readonly hide: 0 | 2;
}

export type VariableJson =
  | (VariableBase & {
      readonly type: 'datasource';
      readonly query: string;
      readonly refresh: Refresh;
    })
  | (VariableBase & {
      readonly type: 'custom';
      /** `text : value, text : value`. */
      readonly query: string;
      readonly options: readonly OptionJson[];
      readonly multi: boolean;
      readonly includeAll: boolean;
    })
  | (VariableBase & {
      readonly type: 'query';
      readonly datasource: DatasourceJson;
      readonly definition: string;
      readonly query: { readonly query: string; readonly refId: string };
      readonly refresh: Refresh;
      readonly sort: number;
      readonly multi: boolean;
      readonly includeAll: boolean;
      readonly allValue?: string;
    });

export interface AnnotationJson {
  readonly name: string;
  readonly datasource: DatasourceJson;
  readonly enable: boolean;
  readonly hide: boolean;
  readonly iconColor: string;
  readonly expr: string;
  readonly step: string;
  readonly titleFormat: string;
  readonly textFormat: string;
  readonly target: {
    readonly refId: string;
    readonly expr: string;
    readonly interval: string;
    readonly range: boolean;
    readonly instant: boolean;
  };
}

interface DashboardLinkBase {
  readonly title: string;
  readonly tags: readonly string[];
  readonly asDropdown: boolean;
  readonly keepTime: boolean;
  readonly includeVars: boolean;
}

export type DashboardLinkJson =
  | (DashboardLinkBase & { readonly type: 'dashboards' })
  | (DashboardLinkBase & {
      readonly type: 'link';
      readonly tooltip: string;
      readonly icon: string;
      readonly url: string;
      readonly targetBlank: boolean;
    });

/** Where a panel is, in Grafana's grid of 24 columns. */
export interface GridPosition {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export interface RowJson {
  readonly id: number;
  readonly type: 'row';
  readonly title: string;
  readonly collapsed: boolean;
  readonly panels: readonly never[];
  readonly gridPos: GridPosition;
}

export interface PanelJson {
  readonly id: number;
  readonly type: 'stat' | 'timeseries' | 'table' | 'heatmap';
  readonly title: string;
  readonly description: string;
  readonly datasource: DatasourceJson;
  readonly gridPos: GridPosition;
  readonly targets: readonly TargetJson[];
  readonly fieldConfig: {
    readonly defaults: FieldDefaultsJson;
    readonly overrides: readonly OverrideJson[];
  };
  readonly options: OptionsJson;
  readonly transformations?: readonly { readonly id: string; readonly options: object }[];
}

export interface TargetJson {
  readonly refId: string;
  readonly datasource: DatasourceJson;
  readonly editorMode: 'code' | 'builder';
  readonly expr: string;
  readonly legendFormat: string;
  readonly instant: boolean;
  readonly range: boolean;
  readonly format: 'time_series' | 'table' | 'heatmap';
  readonly exemplar?: boolean;
}

export interface FieldLinkJson {
  readonly title: string;
  readonly url: string;
}

export interface ThresholdsJson {
  readonly mode: 'absolute' | 'percentage';
  /** `null`: from the beginning. */
  readonly steps: readonly { readonly color: string; readonly value: number | null }[];
}

export interface FieldDefaultsJson {
  readonly unit: string;
  readonly noValue?: string;
  readonly min?: number;
  readonly max?: number;
  readonly color: { readonly mode: 'thresholds' | 'palette-classic' };
  readonly thresholds: ThresholdsJson;
  readonly links?: readonly FieldLinkJson[];
  readonly custom?: LineStyleJson;
}

export interface LineStyleJson {
  readonly drawStyle: 'line' | 'bars' | 'points';
  readonly lineWidth: number;
  readonly fillOpacity: number;
  readonly showPoints: 'never' | 'auto' | 'always';
  readonly spanNulls: boolean;
  readonly stacking: { readonly mode: 'normal' | 'none'; readonly group: string };
  readonly thresholdsStyle: { readonly mode: 'off' | 'dashed' };
}

export interface OverrideJson {
  readonly matcher: { readonly id: 'byName'; readonly options: string };
  readonly properties: readonly (
    | { readonly id: 'links'; readonly value: readonly FieldLinkJson[] }
    | {
        readonly id: 'color';
        readonly value: { readonly mode: 'fixed'; readonly fixedColor: string };
      }
  )[];
}

export type LegendJson =
  | {
      readonly showLegend: boolean;
      readonly displayMode: 'list';
      readonly placement: 'bottom';
      readonly calcs: readonly never[];
    }
  | {
      readonly showLegend: boolean;
      readonly displayMode: 'table';
      readonly placement: 'right';
      readonly calcs: readonly ('lastNotNull' | 'max')[];
      readonly sortBy: string;
      readonly sortDesc: boolean;
    };

export interface TableOptionsJson {
  readonly showHeader: boolean;
  readonly cellHeight: 'sm' | 'md' | 'lg';
  readonly sortBy: readonly { readonly displayName: string | undefined; readonly desc: boolean }[];
}

/** Of a stat, a time series, a table or a heatmap. */
export type OptionsJson =
  | {
      readonly reduceOptions: {
        readonly values: boolean;
        readonly calcs: readonly string[];
        readonly fields: string;
      };
      readonly colorMode: 'value' | 'background' | 'none';
      readonly graphMode: 'none' | 'area';
      readonly textMode: 'auto' | 'value' | 'name';
    }
  | {
      readonly legend: LegendJson;
      readonly tooltip: {
        readonly mode: 'single' | 'multi';
        readonly sort: 'none' | 'asc' | 'desc';
      };
    }
  | TableOptionsJson
  | {
      readonly calculate: boolean;
      readonly cellGap: number;
      readonly color: { readonly mode: 'scheme'; readonly scheme: string; readonly steps: number };
      readonly yAxis: { readonly unit: string };
      readonly tooltip: { readonly mode: 'single' | 'multi'; readonly yHistogram: boolean };
    };
