import type { Series, Window } from '../read/prometheus.ts';

/** Each series on top of those before it; the last is first, so that it is drawn behind the others. */
export function stacked<One extends Series>(series: readonly One[], window: Window): One[] {
  const heights = new Map<number, number>();
  const piled = series.map((one) => ({
    ...one,
    points: one.points.map(([at, value]) => {
      const slot = Math.round((at - window.fromSeconds) / window.stepSeconds);
      const height = (heights.get(slot) ?? 0) + (Number.isFinite(value) ? value : 0);
      heights.set(slot, height);
      return [at, height] as const;
    }),
  }));
  return piled.reverse();
}
