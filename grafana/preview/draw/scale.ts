/** Above the greatest value stays some room, as in Grafana. */
const HEADROOM = 1.1;

/** Multiples of one round step, from 0 to at most `top`. */
export function ticksUpTo(top: number, atMost: number, unit: string): number[] {
  const step = roundStep(top / atMost, unit);
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, index) => index * step);
}

/** The least round number that is not below: 1, 2, 2.5 or 5 times a power of ten; of bytes, a power of two. */
function roundStep(least: number, unit: string): number {
  if (unit === 'bytes') return 2 ** Math.ceil(Math.log2(least));
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 2.5, 5, 10].find((one) => one * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** Where the axis ends; values that are all 0 have one as well. */
export function axisTop(values: readonly number[], hardMax: number | undefined): number {
  if (hardMax !== undefined) return hardMax;
  const greatest = Math.max(0, ...values.filter(Number.isFinite));
  return greatest === 0 ? 1 : greatest * HEADROOM;
}

const TIME_STEPS = [10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600];

/** Round times in a window, and how they are written. */
export function timeTicks(
  { fromSeconds, untilSeconds }: { readonly fromSeconds: number; readonly untilSeconds: number },
  atMost: number,
): { readonly at: number; readonly text: string }[] {
  const least = (untilSeconds - fromSeconds) / atMost;
  const step = TIME_STEPS.find((one) => one >= least) ?? 86_400;
  const first = Math.ceil(fromSeconds / step) * step;
  const count = Math.max(0, Math.floor((untilSeconds - first) / step) + 1);
  return Array.from({ length: count }, (_, index) => {
    const at = first + index * step;
    const text = new Date(at * 1_000).toISOString();
    return { at, text: step < 60 ? text.slice(11, 19) : text.slice(11, 16) };
  });
}
