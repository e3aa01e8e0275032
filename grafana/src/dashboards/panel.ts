import type { DrillDown } from './drill-down.ts';

/** Grafana's names of the units that panels use. */
export type Unit =
  | 'short'
  | 's'
  | 'percentunit'
  | 'bytes'
  | 'ops'
  | 'reqps'
  | 'none'
  | 'bool_on_off';

/** One query of a panel. */
export interface Query {
  readonly expr: string;
  /** `{{queue}}` is a label. In a table, the name of the column. */
  readonly legend: string;
}

/** A panel without its place; `dashboard` gives it one, and its id. */
export interface Panel {
  readonly kind: 'stat' | 'timeseries' | 'table' | 'heatmap';
  readonly title: string;
  /** What it means, and what to do when it looks bad. */
  readonly description: string;
  readonly unit: Unit;
  readonly queries: readonly Query[];
  /** Of the 24 columns that a dashboard has. */
  readonly width: number;
  readonly height: number;
  /** From this value on it is red; drawn as a line in a time series. */
  readonly badFrom?: number;
  /** Below this value it is red, as a share that should be high. */
  readonly badBelow?: number;
  /** Shows traces as points, where there are any; of the first query, whose histogram the others share. */
  readonly exemplars?: true;
  readonly stacked?: true;
  /** Colours of series by their names; others get one by their place. */
  readonly colors?: Readonly<Record<string, string>>;
  /** Where a click on a value leads. */
  readonly opens?: DrillDown;
  /** Labels that a table shows, in this order. */
  readonly columns?: readonly string[];
  /** What a table is sorted by, ascending, where the first query's greatest value is not what matters most. */
  readonly sortedBy?: string;
}

type Rest = Omit<Panel, 'kind' | 'width' | 'height' | 'queries'> & {
  readonly width?: number;
};

/** One figure. */
export const stat = (rest: Rest & { readonly expr: string }): Panel => {
  const { expr, ...others } = rest;
  return { width: 4, ...others, kind: 'stat', height: 4, queries: [{ expr, legend: '' }] };
};

/** Lines over time. */
export const lines = (rest: Rest & { readonly queries: readonly Query[] }): Panel => ({
  width: 12,
  ...rest,
  kind: 'timeseries',
  height: 8,
});

/** The present values, a row for each series, the worst first. */
export const table = (
  rest: Rest & { readonly queries: readonly Query[]; readonly columns: readonly string[] },
): Panel => ({
  width: 12,
  ...rest,
  kind: 'table',
  height: 8,
});

/** A histogram over time. */
export const heatmap = (
  rest: Rest & { readonly histogram: string; readonly selector: string },
): Panel => {
  const { histogram, selector, ...others } = rest;
  const expr = `sum by (le) (increase(${histogram}_bucket${selector}[$__rate_interval]))`;
  return {
    width: 12,
    ...others,
    kind: 'heatmap',
    height: 8,
    queries: [{ expr, legend: '{{le}}' }],
  };
};
