import type { Panel, Query } from './panel.ts';

/** Where a panel is, in Grafana's grid of 24 columns. */
export interface GridPosition {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export const DATASOURCE = { type: 'prometheus', uid: '$' + '{datasource}' } as const;

/** The panel as Grafana's dashboard files have it. */
export const panelJson = (panel: Panel, id: number, gridPos: GridPosition): object => ({
  id,
  type: panel.kind,
  title: panel.title,
  description: panel.description,
  datasource: DATASOURCE,
  gridPos,
  targets: panel.queries.map((query, index) => target(panel, query, index)),
  fieldConfig: { defaults: defaults(panel), overrides: [] },
  options: panel.kind === 'table' ? tableOptions(panel.queries) : OPTIONS[panel.kind],
  ...(panel.kind === 'table' && { transformations: tableOf(panel.queries) }),
});

const isInstant = ({ kind }: Panel): boolean => kind === 'table' || kind === 'stat';

const target = (panel: Panel, { expr, legend }: Query, index: number): object => ({
  refId: String.fromCharCode('A'.charCodeAt(0) + index),
  datasource: DATASOURCE,
  editorMode: 'code',
  expr,
  legendFormat: legend,
  instant: isInstant(panel),
  range: !isInstant(panel),
  format: FORMATS[panel.kind],
});

const FORMATS = {
  stat: 'time_series',
  timeseries: 'time_series',
  table: 'table',
  heatmap: 'heatmap',
};

const defaults = (panel: Panel): object => ({
  unit: panel.unit,
  noValue: '–',
  ...(panel.unit === 'percentunit' && { min: 0, max: 1 }),
  ...(panel.kind !== 'heatmap' && { min: 0 }),
  color: { mode: panel.kind === 'stat' ? 'thresholds' : 'palette-classic' },
  thresholds: thresholds(panel),
  ...(panel.kind === 'timeseries' && { custom: lineStyle(panel) }),
});

/** Green, and red where it is bad; blue where no value is bad by itself. */
function thresholds({ badFrom, badBelow }: Panel): object {
  if (badFrom !== undefined) return steps('green', ['red', badFrom]);
  if (badBelow !== undefined) return steps('red', ['green', badBelow]);
  return steps('blue');
}

const steps = (base: string, ...others: readonly (readonly [string, number])[]): object => ({
  mode: 'absolute',
  steps: [{ color: base, value: null }, ...others.map(([color, value]) => ({ color, value }))],
});

const lineStyle = ({ badFrom, stacked }: Panel): object => ({
  drawStyle: 'line',
  lineWidth: 1,
  fillOpacity: stacked ? 30 : 8,
  showPoints: 'never',
  spanNulls: false,
  stacking: { mode: stacked ? 'normal' : 'none', group: 'A' },
  thresholdsStyle: { mode: badFrom === undefined ? 'off' : 'dashed' },
});

const OPTIONS: Readonly<Record<Exclude<Panel['kind'], 'table'>, object>> = {
  stat: {
    reduceOptions: { values: false, calcs: ['lastNotNull'], fields: '' },
    colorMode: 'value',
    graphMode: 'none',
    textMode: 'auto',
  },
  timeseries: {
    legend: {
      displayMode: 'table',
      placement: 'bottom',
      showLegend: true,
      calcs: ['lastNotNull', 'max'],
    },
    tooltip: { mode: 'multi', sort: 'desc' },
  },
  heatmap: {
    calculate: false,
    cellGap: 1,
    color: { mode: 'scheme', scheme: 'Oranges', steps: 64 },
    yAxis: { unit: 's' },
    tooltip: { mode: 'single', yHistogram: false },
  },
};

/** The largest value of the first query comes first. */
const tableOptions = (queries: readonly Query[]): object => ({
  showHeader: true,
  cellHeight: 'sm',
  sortBy: [{ displayName: queries[0]?.legend, desc: true }],
});

/** One row per series with its labels, and one column per query, named by its legend. */
const tableOf = (queries: readonly Query[]): object[] => [
  { id: 'merge', options: {} },
  {
    id: 'organize',
    options: { excludeByName: { Time: true }, renameByName: columnNames(queries), indexByName: {} },
  },
];

/** Grafana calls the columns `Value #A`, `Value #B`, and `Value` if there is one only. */
const columnNames = (queries: readonly Query[]): Record<string, string> =>
  queries.length === 1
    ? { Value: queries[0]?.legend ?? '' }
    : Object.fromEntries(
        queries.map(({ legend }, index) => [`Value #${String.fromCharCode(65 + index)}`, legend]),
      );
