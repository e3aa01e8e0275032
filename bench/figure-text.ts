import type { Result } from './compare.ts';

/** With as many digits as mean something. */
export function toFigure(value: number, unit: string): string {
  const maximumFractionDigits = value >= 1_000 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toLocaleString('en', { maximumFractionDigits })} ${unit}`;
}

/** A ratio with its spread. */
export function ratioText({
  ratio,
  ratioMin,
  ratioMax,
}: Pick<Result, 'ratio' | 'ratioMin' | 'ratioMax'>): string {
  return `${ratio.toFixed(2)} (${ratioMin.toFixed(2)} to ${ratioMax.toFixed(2)})`;
}
