import type { Legend } from '../read/dashboard-file.ts';
import type { NamedSeries } from '../read/panel-data.ts';
import { escaped } from './markup.ts';
import { formatValue } from './units.ts';

export interface Line extends NamedSeries {
  readonly color: string;
}

/** What a legend takes of its panel, and itself. */
export interface DrawnLegend {
  readonly width: number;
  readonly height: number;
  readonly html: string;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const ROW_HEIGHT = 22;
const FIGURE_WIDTH = 86;
const PX_FOR_CHARACTER = 6.5;
/** Grafana's limits; what does not fit has to be scrolled to. */
const GREATEST_WIDTH = 0.6;
const GREATEST_HEIGHT = 0.35;

/** Names of lines in a row below the chart, or a table of names and figures beside it. */
export function drawLegend(
  legend: Legend,
  lines: readonly Line[],
  unit: string,
  panel: Size,
): DrawnLegend {
  return legend.displayMode === 'list'
    ? drawList(lines, panel)
    : drawTable(legend, lines, unit, panel);
}

const widthOf = (name: string) => name.length * PX_FOR_CHARACTER + 34;

function drawList(lines: readonly Line[], panel: Size): DrawnLegend {
  const width = lines.reduce((sum, { name }) => sum + widthOf(name), 0);
  const rows = Math.ceil(width / panel.width);
  const height = Math.min(rows * ROW_HEIGHT, panel.height * GREATEST_HEIGHT);
  const items = lines.map((line) => `<span>${nameOf(line)}</span>`).join('');
  return { width: 0, height, html: `<div class="list">${items}</div>` };
}

const nameOf = ({ name, color }: Line): string =>
  `<i style="background:${color}"></i>${escaped(name)}`;

function drawTable(
  { sortBy, sortDesc }: Legend,
  lines: readonly Line[],
  unit: string,
  panel: Size,
): DrawnLegend {
  const longest = Math.max(...lines.map(({ name }) => widthOf(name)), 60);
  const width = Math.min(longest + 2 * FIGURE_WIDTH, panel.width * GREATEST_WIDTH);
  const rows = lines.map((line) => ({ ...line, ...figuresOf(line.points) }));
  if (sortBy === 'Max') {
    const order = sortDesc ? -1 : 1;
    rows.sort((a, b) => order * ((a.max ?? 0) - (b.max ?? 0)));
  }
  const shown = rows.slice(0, Math.floor(panel.height / ROW_HEIGHT) - 1);
  const hidden = rows.length - shown.length;
  const cell = (value: number | undefined) =>
    `<td>${value === undefined ? '' : formatValue(value, unit)}</td>`;
  const body = shown.map(
    (row) => `<tr><td>${nameOf(row)}</td>${cell(row.last)}${cell(row.max)}</tr>`,
  );
  const more = hidden > 0 ? `<b>${hidden} more</b>` : '';
  const head = `<tr><th>Name${more}</th><th>Last *</th><th>Max</th></tr>`;
  const html = `<table class="legend" style="width:${width}px">${head}${body.join('')}</table>`;
  return { width, height: 0, html };
}

/** The last that is a number, and the greatest. */
export function figuresOf(points: NamedSeries['points']): { last?: number; max?: number } {
  const values = points.map(([, value]) => value).filter((value) => !Number.isNaN(value));
  const last = values.at(-1);
  return last === undefined ? {} : { last, max: Math.max(...values) };
}
