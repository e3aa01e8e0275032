import { drillDownLink } from './drill-down.ts';
import { LABEL_NAMES } from './looks.ts';
import type { Panel, Query } from './panel.ts';
import { tableOptions, tableTransformations } from './table-json.ts';

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
  fieldConfig: { defaults: defaults(panel), overrides: overrides(panel) },
  options: options(panel),
  ...(panel.kind === 'table' && { transformations: tableTransformations(panel) }),
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
  ...(panel.exemplars && index === 0 && { exemplar: true }),
});

const FORMATS = {
  stat: 'time_series',
  timeseries: 'time_series',
  table: 'table',
  heatmap: 'heatmap',
};

/** Without data a figure is a dash; other panels say so in Grafana's words, which cannot be taken for a zero. */
const defaults = (panel: Panel): object => ({
  unit: panel.unit,
  ...(panel.kind === 'stat' && { noValue: '–' }),
  ...(panel.unit === 'percentunit' && { min: 0, max: 1 }),
  ...(panel.kind !== 'heatmap' && { min: 0 }),
  color: { mode: panel.kind === 'stat' ? 'thresholds' : 'palette-classic' },
  thresholds: thresholds(panel),
  ...(panel.opens &&
    panel.kind !== 'table' && { links: [drillDownLink(panel.opens, '__field.labels')] }),
  ...(panel.kind === 'timeseries' && { custom: lineStyle(panel) }),
});

/** Colours of series by their names; of a table, the column that leads to another dashboard. */
function overrides({ kind, colors = {}, opens }: Panel): object[] {
  const fixed = Object.entries(colors).map(([name, fixedColor]) =>
    override(name, 'color', { mode: 'fixed', fixedColor }),
  );
  if (kind !== 'table' || opens?.by === undefined) return fixed;
  const column = LABEL_NAMES[opens.by] ?? opens.by;
  return [...fixed, override(column, 'links', [drillDownLink(opens, '__data.fields')])];
}

const override = (name: string, id: string, value: unknown): object => ({
  matcher: { id: 'byName', options: name },
  properties: [{ id, value }],
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

/** Many lines over each other are read better without areas below them. */
const lineStyle = ({ badFrom, stacked }: Panel): object => ({
  drawStyle: 'line',
  lineWidth: 1,
  fillOpacity: stacked ? 30 : 0,
  showPoints: 'never',
  spanNulls: false,
  stacking: { mode: stacked ? 'normal' : 'none', group: 'A' },
  thresholdsStyle: { mode: badFrom === undefined ? 'off' : 'dashed' },
});

function options(panel: Panel): object {
  switch (panel.kind) {
    case 'stat':
      return STAT;
    case 'timeseries':
      return { legend: legend(panel), tooltip: { mode: 'multi', sort: 'desc' } };
    case 'table':
      return tableOptions(panel);
    case 'heatmap':
      return HEATMAP;
  }
}

const STAT = {
  reduceOptions: { values: false, calcs: ['lastNotNull'], fields: '' },
  colorMode: 'value',
  graphMode: 'none',
  textMode: 'auto',
};

const WIDE = 12;

/** Below a chart there is room for two lines of a table: beside a wide one it has ten, and the greatest come first. */
const legend = ({ width }: Panel): object => ({
  showLegend: true,
  ...(width < WIDE
    ? { displayMode: 'list', placement: 'bottom', calcs: [] }
    : {
        displayMode: 'table',
        placement: 'right',
        calcs: ['lastNotNull', 'max'],
        sortBy: 'Max',
        sortDesc: true,
      }),
});

const HEATMAP = {
  calculate: false,
  cellGap: 1,
  color: { mode: 'scheme', scheme: 'Oranges', steps: 64 },
  yAxis: { unit: 's' },
  tooltip: { mode: 'single', yHistogram: false },
};
