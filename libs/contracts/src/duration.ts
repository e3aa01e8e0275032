import { ConfigInvalidError } from './errors.ts';

/** A time span with its unit in the value: `'250ms'`, `'30s'`, `'5m'`, `'8h'`, `'1d'`. */
export type Duration = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const PATTERN = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/**
 * Milliseconds of a duration, rounded to a whole number.
 * @param name the option's name, for the error
 * @throws ConfigInvalidError when the text is not a duration, or one that numbers cannot hold
 */
export function durationToMs(duration: Duration, name: string): number {
  const match = typeof duration === 'string' ? PATTERN.exec(duration) : null;
  if (!match) {
    throw new ConfigInvalidError(name, `expected a duration such as '30s', got ${show(duration)}`);
  }
  const ms = Math.round(Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS]);
  if (!Number.isSafeInteger(ms))
    throw new ConfigInvalidError(name, `${show(duration)} is too long`);
  return ms;
}

function show(value: unknown): string {
  return typeof value === 'string'
    ? `'${value.slice(0, 40)}'`
    : `${String(value)} (${typeof value})`;
}
