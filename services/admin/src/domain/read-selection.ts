import type { Selection } from '@warren/dead-letter';
import { UsageError } from '../exit-codes.ts';
import { visible } from '../text/visible.ts';

/** Which dead letters, as the command line says it. */
export interface SelectionOptions {
  readonly type?: readonly string[] | undefined;
  readonly error?: readonly string[] | undefined;
  readonly fingerprint?: readonly string[] | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly id?: readonly string[] | undefined;
  /** `name=value` each. */
  readonly header?: readonly string[] | undefined;
}

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** @throws UsageError naming the option */
export function readSelection(options: SelectionOptions, nowMs: number): Selection {
  for (const one of options.fingerprint ?? []) {
    if (!/^[\da-f]{12}$/.test(one)) {
      throw new UsageError('--fingerprint: expected 12 digits as `warren dead groups` shows them');
    }
  }
  return {
    types: options.type,
    errors: options.error,
    fingerprints: options.fingerprint,
    sinceMs: timeOf('--since', options.since, nowMs),
    untilMs: timeOf('--until', options.until, nowMs),
    ids: options.id,
    headers: options.header && headersOf(options.header),
  };
}

function headersOf(given: readonly string[]): Record<string, string> {
  const pairs = given.map((text): [string, string] => {
    const at = text.indexOf('=');
    if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
    throw new UsageError('--header: expected a name and its value, such as tenant=acme');
  });
  const twice = pairs.find(([name], at) => pairs.findIndex((one) => one[0] === name) < at);
  if (twice) throw new UsageError(`--header: ${visible(twice[0])} cannot have two values at once`);
  return Object.fromEntries(pairs);
}

function timeOf(option: string, text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return nowMs - Number(count) * (UNITS_MS[unit] ?? 0);
  const ms = DATE.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw new UsageError(
    `${option}: expected a time such as 2026-11-29T03:00Z, or 2h for "2 hours ago"`,
  );
}

/** For people and for the audit: only what was given. */
export function selectionDetails(options: SelectionOptions): Record<string, unknown> {
  const { type, error, fingerprint, since, until, id, header } = options;
  const given = Object.entries({ type, error, fingerprint, since, until, id, header });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
