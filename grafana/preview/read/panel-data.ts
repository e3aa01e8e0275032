import type { PanelFile, Target } from './dashboard-file.ts';
import { legendFor } from './legend.ts';
import type { Prometheus, Series, Window } from './prometheus.ts';
import { type TableData, tableOf } from './table-data.ts';
import { fillIn } from './variables.ts';

export interface NamedSeries extends Series {
  readonly name: string;
}

/** What a panel has to show. */
export type PanelData =
  | { readonly kind: 'stat'; readonly value: number | undefined }
  | { readonly kind: 'timeseries' | 'heatmap'; readonly series: readonly NamedSeries[] }
  | { readonly kind: 'table'; readonly table: TableData }
  | { readonly kind: 'error'; readonly message: string };

/** Runs the expressions of a panel. Never rejects: what Prometheus says about a wrong one is shown in its place. */
export async function askForPanel(
  panel: PanelFile,
  prometheus: Pick<Prometheus, 'at' | 'over'>,
  window: Window,
  values: Readonly<Record<string, string>>,
): Promise<PanelData> {
  const run = ({ expr, instant }: Target) => {
    const filled = fillIn(expr, values);
    return instant ? prometheus.at(filled, window.untilSeconds) : prometheus.over(filled, window);
  };
  try {
    return shape(panel, await Promise.all(panel.targets.map(run)));
  } catch (error) {
    return { kind: 'error', message: error instanceof Error ? error.message : String(error) };
  }
}

function shape(panel: PanelFile, answers: readonly (readonly Series[])[]): PanelData {
  if (panel.type === 'table') return { kind: 'table', table: tableOf(panel, answers) };
  if (panel.type === 'stat') {
    return { kind: 'stat', value: answers[0]?.[0]?.points.at(-1)?.[1] };
  }
  const series = answers.flatMap((many, index) =>
    many.map((one) => ({
      ...one,
      name: legendFor(panel.targets[index]?.legendFormat ?? '', one.labels),
    })),
  );
  return { kind: panel.type, series };
}
