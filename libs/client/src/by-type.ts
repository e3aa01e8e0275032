import { UnknownJobTypeError } from '@warren/contracts';

/** Definitions by the names of their types. */
export function byType<Definition extends { readonly type: string }>(
  definitions: readonly Definition[],
): ReadonlyMap<string, Definition> {
  return new Map(definitions.map((definition) => [definition.type, definition]));
}

/** The error for a job type that is none of these. */
export function unknown(type: string, known: ReadonlyMap<string, unknown>): UnknownJobTypeError {
  return new UnknownJobTypeError(type, [...known.keys()]);
}

/** The error for an event that is none of these. */
export function unknownEvent(
  type: string,
  known: ReadonlyMap<string, unknown>,
): UnknownJobTypeError {
  return new UnknownJobTypeError(type, [...known.keys()], 'event');
}
