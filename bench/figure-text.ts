import type { Result } from './compare.ts';

/** With as many digits as mean something. */
export function toFigure(value: number, unit: string): string {
  const maximumFractionDigits = value >= 1_000 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toLocaleString('en', { maximumFractionDigits })} ${unit}`;
}

/** A ratio with its spread, with a third digit where it misses its target and two would say that it does not. */
export function ratioText({
  ratio,
  ratioMin,
  ratioMax,
  target,
  isMet,
}: Pick<Result, 'ratio' | 'ratioMin' | 'ratioMax' | 'target' | 'isMet'>): string {
  const looksMet = isMet === false && target?.endsWith(` ${ratio.toFixed(2)}`);
  return `${ratio.toFixed(looksMet ? 3 : 2)} (${ratioMin.toFixed(2)} to ${ratioMax.toFixed(2)})`;
}
