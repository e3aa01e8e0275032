import type { DeadLetter } from './dead-letter.ts';
import { fingerprintOf } from './fingerprint.ts';

/** Which dead letters are meant: those that fit every field that is given, by any one of its values. */
export interface Selection {
  readonly types?: readonly string[] | undefined;
  /** Class of the last failure, with or without its code, or the code alone: `Error [ECONNRESET]`, `Error`, `ECONNRESET`. */
  readonly errors?: readonly string[] | undefined;
  readonly fingerprints?: readonly string[] | undefined;
  /** Died at this time or later, ms since 1970; those that do not say when fit no time. */
  readonly sinceMs?: number | undefined;
  /** Died before this time. */
  readonly untilMs?: number | undefined;
  readonly ids?: readonly string[] | undefined;
  /** Headers of the publisher's own, such as a tenant, with their value as text: all of them, unlike the rest by each one. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What of a dead letter a selection looks at. */
export type SelectedBy = Pick<
  DeadLetter,
  'id' | 'type' | 'reason' | 'error' | 'deadAtMs' | 'headers'
>;

/** Whether every dead letter fits. */
export function isWhole(selection: Selection = {}): boolean {
  return Object.values(selection).every((wanted) => wanted === undefined);
}

/** Tells of one dead letter whether it is meant. */
export function selector(selection: Selection = {}): (letter: SelectedBy) => boolean {
  const { types, errors, fingerprints, ids, sinceMs, untilMs, headers } = selection;
  const tests: ((letter: SelectedBy) => boolean)[] = [];
  const [wantedIds, wantedTypes] = [new Set(ids), new Set(types)];
  if (ids) tests.push(({ id }) => isIn(wantedIds, id));
  if (types) tests.push(({ type }) => isIn(wantedTypes, type));
  for (const [name, value] of Object.entries(headers ?? {})) {
    tests.push(
      (letter) => Object.hasOwn(letter.headers, name) && String(letter.headers[name]) === value,
    );
  }
  if (sinceMs !== undefined) tests.push(({ deadAtMs = Number.NaN }) => deadAtMs >= sinceMs);
  if (untilMs !== undefined) tests.push(({ deadAtMs = Number.NaN }) => deadAtMs < untilMs);
  if (errors ?? fingerprints) {
    tests.push(({ error, reason }) => {
      const { errorClass, fingerprint } = fingerprintOf(error, reason);
      const isError = !errors || errors.some((name) => isOfClass(errorClass, name));
      return isError && (!fingerprints || fingerprints.includes(fingerprint));
    });
  }
  return (letter) => tests.every((test) => test(letter));
}

function isIn(wanted: ReadonlySet<string>, value: string | undefined): boolean {
  return value !== undefined && wanted.has(value);
}

function isOfClass(errorClass: string | undefined, wanted: string): boolean {
  if (errorClass === undefined) return false;
  const [, name, code] = /^(.*?)(?: \[(.*)\])?$/.exec(errorClass) ?? [];
  return [errorClass, name, code].includes(wanted);
}
