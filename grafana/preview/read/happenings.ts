import type { AnnotationFile } from './dashboard-file.ts';
import type { Prometheus, Window } from './prometheus.ts';
import { fillIn } from './variables.ts';

/** Something that happened, by the colour that its dashboard gives it. */
export interface Happening {
  readonly atSeconds: number;
  readonly color: string;
}

/** When what a dashboard marks happened: the first of points that are no further apart than a step, as Grafana joins them. */
export async function happeningsOf(
  annotations: readonly AnnotationFile[],
  prometheus: Pick<Prometheus, 'over'>,
  window: Window,
  values: Readonly<Record<string, string>>,
): Promise<Happening[]> {
  const step = `${window.stepSeconds}s`;
  const found = annotations.map(async ({ expr, iconColor: color }) => {
    const asked = fillIn(expr, { ...values, __interval: step });
    const series = await prometheus.over(asked, window);
    return series.flatMap(({ points }) =>
      points
        .filter(([, value]) => value > 0)
        .filter(([at], index, all) => at - (all[index - 1]?.[0] ?? 0) > window.stepSeconds)
        .map(([atSeconds]) => ({ atSeconds, color })),
    );
  });
  return (await Promise.all(found)).flat();
}
