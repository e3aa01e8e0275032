import type { DeadLetter } from './dead-letter.ts';
import { fingerprintOf } from './fingerprint.ts';

/** Dead letters with the same trouble. */
export interface LetterGroup {
  readonly fingerprint: string;
  readonly type: string | undefined;
  readonly reason: string | undefined;
  readonly errorClass: string | undefined;
  /** First line of the error of the sample. */
  readonly headline: string | undefined;
  readonly count: number;
  /** When the first and the last of them died, as far as they say; ms since 1970. */
  readonly firstSeenMs: number | undefined;
  readonly lastSeenMs: number | undefined;
  /** Id of the newest that has one. */
  readonly sampleId: string | undefined;
}

/** A queue of nothing but different errors must not fill the memory. */
const MAX_GROUPS = 10_000;
const MAX_TEXT = 1_000;

type Growing = { -readonly [Key in keyof LetterGroup]: LetterGroup[Key] };

/** Puts dead letters together by job type and fingerprint, one after the other. */
export class LetterGroups {
  readonly #groups = new Map<string, Growing>();
  #ungrouped = 0;

  /** Letters that began a group when there was room for no more. */
  get ungrouped(): number {
    return this.#ungrouped;
  }

  add(letter: Pick<DeadLetter, 'id' | 'type' | 'reason' | 'error' | 'deadAtMs'>): void {
    const found = fingerprintOf(letter.error, letter.reason);
    const key = JSON.stringify([letter.type, found.fingerprint]);
    const group = this.#groups.get(key) ?? this.#begin(key, letter, found);
    if (!group) {
      this.#ungrouped += 1;
      return;
    }
    const { deadAtMs } = letter;
    group.count += 1;
    group.sampleId = letter.id ?? group.sampleId;
    if (deadAtMs === undefined) return;
    group.firstSeenMs = Math.min(group.firstSeenMs ?? deadAtMs, deadAtMs);
    group.lastSeenMs = Math.max(group.lastSeenMs ?? deadAtMs, deadAtMs);
  }

  /** The largest first. */
  list(): LetterGroup[] {
    return [...this.#groups.values()].sort((a, b) => b.count - a.count);
  }

  #begin(
    key: string,
    { type, reason }: Pick<DeadLetter, 'type' | 'reason'>,
    { fingerprint, errorClass, headline }: ReturnType<typeof fingerprintOf>,
  ): Growing | undefined {
    if (this.#groups.size >= MAX_GROUPS) return undefined;
    const group: Growing = {
      fingerprint,
      type,
      reason,
      errorClass,
      headline: headline?.slice(0, MAX_TEXT),
      count: 0,
      firstSeenMs: undefined,
      lastSeenMs: undefined,
      sampleId: undefined,
    };
    this.#groups.set(key, group);
    return group;
  }
}
