/** How a check ended. `not checkable`: what it needs could not be seen, which says nothing of how it is. */
export type CheckResult = 'ok' | 'warning' | 'problem' | 'not checkable';

/** What one check found. */
export interface Finding {
  readonly check: string;
  readonly result: CheckResult;
  /** One line. */
  readonly finding: string;
  /** What to do about it. */
  readonly advice?: string | undefined;
}

/** A fact, or why it could not be seen. */
export type Seen<T> = { readonly value: T } | { readonly unseen: string };

/** What is wrong about a fact, worst first; none where all is well. */
export interface Trouble {
  readonly result: 'warning' | 'problem';
  readonly finding: string;
  readonly advice: string;
}

/** One finding for each trouble, or one that says that all is well. */
export function findings(check: string, troubles: readonly Trouble[], ok: string): Finding[] {
  if (troubles.length === 0) return [{ check, result: 'ok', finding: ok }];
  return troubles.map((trouble) => ({ check, ...trouble }));
}

/** What a check makes of a fact; where that was not seen, why. */
export function examined<T>(
  check: string,
  fact: Seen<T>,
  examine: (value: T) => Finding[],
): Finding[] {
  if ('value' in fact) return examine(fact.value);
  return [{ check, result: 'not checkable', finding: fact.unseen }];
}

const LISTED = 5;

/** `a, b, c and 4 more`. */
export function listed(names: readonly string[]): string {
  const more = names.length - LISTED;
  return more > 0 ? `${names.slice(0, LISTED).join(', ')} and ${more} more` : names.join(', ');
}
