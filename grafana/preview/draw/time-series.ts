import type { PanelFile } from '../read/dashboard-file.ts';
import type { NamedSeries } from '../read/panel-data.ts';
import { type Frame, framed, frameOf, type Shown } from './frame.ts';
import { drawLegend } from './legend.ts';
import { px } from './markup.ts';
import { axisTop, ticksUpTo } from './scale.ts';
import { stacked } from './stack.ts';
import { colorNamed, colorOfSeries } from './theme.ts';
import { formatValue } from './units.ts';

const PX_FOR_TICK = 34;
const BELOW = { displayMode: 'list', placement: 'bottom' } as const;

/** A line for what came of each query, over time, and the legend below. */
export function drawTimeSeries(
  panel: PanelFile,
  series: readonly NamedSeries[],
  size: { readonly width: number; readonly height: number },
  window: Shown,
): string {
  const { unit, max, custom } = panel.fieldConfig.defaults;
  const lines = series.map((one, index) => ({
    ...one,
    color: colorOfSeries(one.name, index, panel.fieldConfig.overrides),
  }));
  const isStacked = custom?.stacking.mode === 'normal';
  const drawn = isStacked ? stacked(lines, window) : lines;
  const top = axisTop(
    drawn.flatMap(({ points }) => points.map(([, value]) => value)),
    max,
  );
  const legend = drawLegend(panel.options.legend ?? BELOW, lines, unit, size);
  const height = size.height - legend.height;
  const frame = frameOf(size.width - legend.width, height, window);
  const marks = ticksUpTo(top, height / PX_FOR_TICK, unit).map((value) => ({
    part: value / top,
    text: formatValue(value, unit),
  }));
  const fill = { opacity: (custom?.fillOpacity ?? 0) / 100, isStacked };
  const paths = drawn.map(({ points, color }) =>
    runsOf(points, window.stepSeconds).map((run) => pathOf(run, frame, top, color, fill)),
  );
  const content = `${paths.flat().join('')}${thresholdLines(panel, frame, top)}`;
  return framed(frame, window, marks, content) + legend.html;
}

type Points = NamedSeries['points'];

/** Without what is no number, and apart where something is missing: Grafana does not join over gaps. */
export function runsOf(points: Points, stepSeconds: number): Points[] {
  const runs: [number, number][][] = [];
  let lastAt = Number.NEGATIVE_INFINITY;
  for (const [at, value] of points) {
    if (!Number.isFinite(value)) continue;
    if (at - lastAt > stepSeconds * 1.5) runs.push([]);
    runs.at(-1)?.push([at, value]);
    lastAt = at;
  }
  return runs;
}

/** A line and the area below it; in a stack that covers what was drawn before, which is higher. */
function pathOf(
  run: Points,
  { x, y }: Frame,
  top: number,
  color: string,
  fill: { readonly opacity: number; readonly isStacked: boolean },
): string {
  const line = run.map(([at, value]) => `${px(x(at))} ${px(y(value / top))}`).join('L');
  const [first] = run[0] ?? [0];
  const [last] = run.at(-1) ?? [0];
  const area = `M${px(x(first))} ${px(y(0))}L${line}L${px(x(last))} ${px(y(0))}Z`;
  const areas = [
    ...(fill.isStacked ? [`<path d="${area}" class="cover"/>`] : []),
    ...(fill.opacity > 0 ? [`<path d="${area}" fill="${color}" opacity="${fill.opacity}"/>`] : []),
  ];
  return `${areas.join('')}<path d="M${line}" fill="none" stroke="${color}"/>`;
}

/** Dashed, where they are on the axis. */
function thresholdLines(
  { fieldConfig }: PanelFile,
  { left, right, y }: Frame,
  top: number,
): string {
  const { thresholds, custom } = fieldConfig.defaults;
  if (custom?.thresholdsStyle.mode !== 'dashed') return '';
  return thresholds.steps
    .filter(({ value }) => value !== null && value <= top)
    .map(({ color, value }) => {
      const at = px(y((value ?? 0) / top));
      return `<path class="threshold" stroke="${colorNamed(color)}" d="M${left} ${at}H${px(right)}"/>`;
    })
    .join('');
}
