import type { PanelFile, RowFile } from '../read/dashboard-file.ts';
import type { PanelData } from '../read/panel-data.ts';
import type { TableData } from '../read/table-data.ts';
import type { Shown } from './frame.ts';
import { drawHeatmap } from './heatmap.ts';
import type { Box } from './layout.ts';
import { escaped, px } from './markup.ts';
import { colorOfValue } from './theme.ts';
import { drawTimeSeries } from './time-series.ts';
import { formatValue } from './units.ts';

/** Of a panel: for its title and two lines of description, and around its content, the border with it. */
const HEAD = 62;
const PADDING = 9;

const placed = ({ left, top, width, height }: Box): string =>
  `left:${px(left)}px;top:${px(top)}px;width:${px(width)}px;height:${px(height)}px`;

/** A heading of the page. */
export const drawRow = ({ title }: RowFile, box: Box): string =>
  `<h2 style="${placed(box)}"><span>⌄</span>${escaped(title)}</h2>`;

/** A panel with its title, its description and what came of its queries. */
export function drawPanel(panel: PanelFile, data: PanelData, box: Box, window: Shown): string {
  const { title, description } = panel;
  const size = { width: box.width - 2 * PADDING, height: box.height - HEAD - PADDING };
  return (
    `<section class="${panel.type}" style="${placed(box)}"><h3>${escaped(title)}</h3>` +
    `<p title="${escaped(description)}">${escaped(description)}</p>` +
    `<div class="content">${contentOf(panel, data, size, window)}</div></section>`
  );
}

type Size = { readonly width: number; readonly height: number };

function contentOf(panel: PanelFile, data: PanelData, size: Size, window: Shown): string {
  const { noValue = 'No data' } = panel.fieldConfig.defaults;
  switch (data.kind) {
    case 'error':
      return `<div class="error">${escaped(data.message)}</div>`;
    case 'stat':
      return statOf(panel, data.value, noValue);
    case 'table':
      return data.table.rows.length > 0 ? tableOf(panel, data.table) : nothing(noValue);
    case 'heatmap':
      return data.series.length > 0
        ? drawHeatmap(panel, data.series, size, window)
        : nothing(noValue);
    case 'timeseries':
      return data.series.length > 0
        ? drawTimeSeries(panel, data.series, size, window)
        : nothing(noValue);
  }
}

const nothing = (text: string): string => `<div class="nothing">${escaped(text)}</div>`;

function statOf({ fieldConfig }: PanelFile, value: number | undefined, noValue: string): string {
  if (value === undefined) return nothing(noValue);
  const { defaults } = fieldConfig;
  const color = colorOfValue(value, defaults);
  return `<div class="figure" style="color:${color}">${escaped(formatValue(value, defaults.unit))}</div>`;
}

function tableOf({ fieldConfig }: PanelFile, { columns, rows }: TableData): string {
  const { defaults, overrides } = fieldConfig;
  const linked = columns.map((name) =>
    overrides.some(
      ({ matcher, properties }) =>
        matcher.options === name && properties.some(({ id }) => id === 'links'),
    ),
  );
  const cell = (value: string | number | undefined, index: number) => {
    const isNumber = typeof value === 'number';
    const classes = [...(isNumber ? ['number'] : []), ...(linked[index] ? ['link'] : [])];
    const text = isNumber ? formatValue(value, defaults.unit) : (value ?? '');
    return `<td class="${classes.join(' ')}">${escaped(text)}</td>`;
  };
  const head = columns.map((name) => `<th>${escaped(name)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('');
  return `<table class="data"><tr>${head}</tr>${body}</table>`;
}
