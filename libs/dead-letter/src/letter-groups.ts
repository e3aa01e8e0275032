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

/** What of a dead letter says what group it belongs to. */
export type Grouped = Pick<DeadLetter, 'id' | 'type' | 'reason' | 'error' | 'deadAtMs'>;

/** A queue of nothing but different errors must not fill the memory. */
const MAX_GROUPS = 10_000;
const MAX_TEXT = 1_000;

type Growing = { -readonly [Key in keyof LetterGroup]: LetterGroup[Key] };

/** Puts dead letters together by job type and fingerprint, one after the other. */
export class LetterGroups<Letter extends Grouped = Grouped> {
  readonly #groups = new Map<string, Growing>();
  readonly #shownError: (letter: Letter) => Promise<string | undefined>;
  /** Those whose text is being made: their letters are in memory meanwhile. */
  readonly #open = new Set<Promise<void>>();
  #ungrouped = 0;

  /** @param shownError makes of an error what may be shown; asked once for each group */
  constructor(shownError: (letter: Letter) => Promise<string | undefined>) {
    this.#shownError = shownError;
  }

  /** Letters that began a group when there was room for no more. */
  get ungrouped(): number {
    return this.#ungrouped;
  }

  add(letter: Letter): void {
    const { fingerprint } = fingerprintOf(letter.error, letter.reason);
    const key = JSON.stringify([letter.type, fingerprint]);
    const group = this.#groups.get(key) ?? this.#begin(key, letter, fingerprint);
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

  /** The largest first. @throws what `shownError` rejects with */
  async list(): Promise<LetterGroup[]> {
    await Promise.all(this.#open);
    return [...this.#groups.values()].sort((a, b) => b.count - a.count);
  }

  #begin(key: string, letter: Letter, fingerprint: string): Growing | undefined {
    if (this.#groups.size >= MAX_GROUPS) return undefined;
    const { type, reason } = letter;
    const group: Growing = {
      fingerprint,
      type,
      reason,
      count: 0,
      errorClass: undefined,
      headline: undefined,
      firstSeenMs: undefined,
      lastSeenMs: undefined,
      sampleId: undefined,
    };
    this.#groups.set(key, group);
    const describing = this.#describe(group, letter);
    this.#open.add(describing);
    describing.then(
      () => this.#open.delete(describing),
      () => {},
    );
    return group;
  }

  async #describe(group: Growing, letter: Letter): Promise<void> {
    const { errorClass, headline } = fingerprintOf(await this.#shownError(letter), letter.reason);
    group.errorClass = errorClass;
    group.headline = headline?.slice(0, MAX_TEXT);
  }
}
