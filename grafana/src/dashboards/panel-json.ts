import { drillDownLink } from './drill-down.ts';
import type {
  FieldDefaultsJson,
  GridPosition,
  LegendJson,
  LineStyleJson,
  OptionsJson,
  OverrideJson,
  PanelJson,
  TargetJson,
  ThresholdsJson,
} from './grafana-model.ts';
import { LABEL_NAMES } from './looks.ts';
import type { Panel, Query } from './panel.ts';
import { tableOptions, tableTransformations } from './table-json.ts';

export const DATASOURCE = { type: 'prometheus', uid: '$' + '{datasource}' } as const;

/** The panel as Grafana's dashboard files have it. */
export const panelJson = (panel: Panel, id: number, gridPos: GridPosition): PanelJson => ({
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

const target = (panel: Panel, { expr, legend }: Query, index: number): TargetJson => ({
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
} as const;

/** Without data a figure is a dash; other panels say so in Grafana's words, which cannot be taken for a zero. */
const defaults = (panel: Panel): FieldDefaultsJson => ({
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
function overrides({ kind, colors = {}, opens }: Panel): OverrideJson[] {
  const fixed = Object.entries(colors).map(([name, fixedColor]) =>
    override(name, { id: 'color', value: { mode: 'fixed', fixedColor } }),
  );
  if (kind !== 'table' || opens?.by === undefined) return fixed;
  const column = LABEL_NAMES[opens.by] ?? opens.by;
  return [
    ...fixed,
    override(column, { id: 'links', value: [drillDownLink(opens, '__data.fields')] }),
  ];
}

const override = (name: string, property: OverrideJson['properties'][number]): OverrideJson => ({
  matcher: { id: 'byName', options: name },
  properties: [property],
});

/** Green, and red where it is bad; blue where no value is bad by itself. */
function thresholds({ badFrom, badBelow }: Panel): ThresholdsJson {
  if (badFrom !== undefined) return steps('green', ['red', badFrom]);
  if (badBelow !== undefined) return steps('red', ['green', badBelow]);
  return steps('blue');
}

const steps = (
  base: string,
  ...others: readonly (readonly [string, number])[]
): ThresholdsJson => ({
  mode: 'absolute',
  steps: [{ color: base, value: null }, ...others.map(([color, value]) => ({ color, value }))],
});

/** Many lines over each other are read better without areas below them. */
const lineStyle = ({ badFrom, stacked }: Panel): LineStyleJson => ({
  drawStyle: 'line',
  lineWidth: 1,
  fillOpacity: stacked ? 30 : 0,
  showPoints: 'never',
  spanNulls: false,
  stacking: { mode: stacked ? 'normal' : 'none', group: 'A' },
  thresholdsStyle: { mode: badFrom === undefined ? 'off' : 'dashed' },
});

function options(panel: Panel): OptionsJson {
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

const STAT: OptionsJson = {
  reduceOptions: { values: false, calcs: ['lastNotNull'], fields: '' },
  colorMode: 'value',
  graphMode: 'none',
  textMode: 'auto',
};

const WIDE = 12;

/** Below a chart there is room for two lines of a table: beside a wide one it has ten, and the greatest come first. */
const legend = ({ width }: Panel): LegendJson =>
  width < WIDE
    ? { showLegend: true, displayMode: 'list', placement: 'bottom', calcs: [] }
    : {
        showLegend: true,
        displayMode: 'table',
        placement: 'right',
        calcs: ['lastNotNull', 'max'],
        sortBy: 'Max',
        sortDesc: true,
      };

const HEATMAP: OptionsJson = {
  calculate: false,
  cellGap: 1,
  color: { mode: 'scheme', scheme: 'Oranges', steps: 64 },
  yAxis: { unit: 's' },
  tooltip: { mode: 'single', yHistogram: false },
};
