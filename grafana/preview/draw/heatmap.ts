import type { PanelFile } from '../read/dashboard-file.ts';
import type { NamedSeries } from '../read/panel-data.ts';
import { framed, frameOf, type Shown } from './frame.ts';
import { px } from './markup.ts';
import { formatValue } from './units.ts';

const PX_FOR_LABEL = 16;

/** Buckets from below to above, each step a cell: the lighter, the more. */
export function drawHeatmap(
  panel: PanelFile,
  series: readonly NamedSeries[],
  size: { readonly width: number; readonly height: number },
  window: Shown,
): string {
  const buckets = apart(series);
  const frame = frameOf(size.width, size.height, window);
  const rowHeight = frame.y(0) - frame.y(1 / buckets.length);
  const cellWidth = frame.x(window.stepSeconds) - frame.x(0);
  const most = Math.max(...buckets.flatMap(({ counts }) => counts.map(([, count]) => count)));
  const cells = buckets.flatMap(({ counts }, row) =>
    counts
      .filter(([, count]) => count > 1e-9)
      .map(
        ([at, count]) =>
          `<rect x="${px(frame.x(at) - cellWidth + 1)}" y="${px(frame.y((row + 1) / buckets.length))}" width="${px(cellWidth - 1)}" height="${px(rowHeight - 1)}" fill="${shade(count / most)}"/>`,
      ),
  );
  const every = Math.ceil(PX_FOR_LABEL / rowHeight);
  const marks = buckets
    .map(({ edge }, row) => ({
      part: (row + 1) / buckets.length,
      text: formatValue(edge, panel.fieldConfig.defaults.unit),
    }))
    .filter((_, row) => row % every === 0);
  return framed(frame, window, marks, cells.join(''));
}

/** What fell between each edge and the one below it; Prometheus' buckets count everything below their edge. */
export function apart(series: readonly NamedSeries[]) {
  const sorted = series
    .map(({ labels, points }) => ({ edge: edgeOf(labels['le'] ?? ''), points }))
    .sort((a, b) => a.edge - b.edge);
  return sorted.map(({ edge, points }, index) => {
    const below = new Map(sorted[index - 1]?.points);
    const counts = points.map(
      ([at, count]) => [at, Math.max(0, count - (below.get(at) ?? 0))] as const,
    );
    return { edge, counts };
  });
}

const edgeOf = (text: string): number => (text === '+Inf' ? Infinity : Number(text));

/** From dark to light orange. */
const shade = (part: number): string =>
  `hsl(${px(18 + 12 * part)} 90% ${px(22 + 58 * Math.sqrt(part))}%)`;
