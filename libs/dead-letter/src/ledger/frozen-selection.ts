import type { BrokerSession, Delivery } from '@warren/broker';
import { readDeadLetter } from '../dead-letter.ts';
import { type OnLetterProgress, TELL_EVERY } from '../progress.ts';
import { type Selection, selector } from '../selection.ts';
import { KeyCounts } from './key-counts.ts';
import { KEY_BYTES, letterKey } from './letter-key.ts';
import type { RunStore } from './run-store.ts';

/** What is to be done with a letter that was met. */
export type Wanted =
  | 'take'
  /** Not meant. */
  | 'pass'
  /** Done by this run before it was cut off, which the broker did not hear of any more. */
  | 'done';

const PART_KEYS = 4_096;
const PARTS_AT_ONCE = 16;

/** Exactly the dead letters that a run is about, as they were when it began. */
export class FrozenSelection {
  /** Of each key, how many are still to be done. */
  readonly #open = new KeyCounts();
  #left = 0;
  /** Letters that were looked at to choose. */
  looked = 0;

  /** Still to be done. */
  get left(): number {
    return this.#left;
  }

  chosen(key: Buffer): void {
    this.#open.add(key, 1);
    this.#left += 1;
  }

  done(key: Buffer): void {
    this.#open.add(key, -1);
    this.#left -= 1;
  }

  /**
   * One that is done and was never in anybody's hands is another one that is alike, such as out of an import: it stays. Among
   * several that are alike, as many as are still to be done are taken.
   */
  wants({ message }: Pick<Delivery, 'message'>): Wanted {
    const open = this.#open.of(letterKey(message));
    if (open === undefined) return 'pass';
    if (open > 0) return 'take';
    return message.fields.redelivered ? 'done' : 'pass';
  }
}

/** What to fix. */
export interface FreezeOptions {
  readonly session: BrokerSession;
  readonly queue: string;
  readonly selection: Selection | undefined;
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress?: OnLetterProgress | undefined;
}

/**
 * Looks at the queue, as `inspect` does, and writes down what is meant. Undefined when it was asked to end meanwhile.
 * @throws QueueMissingError, what the store rejects with, or an error when the connection is lost
 */
export async function freeze(
  store: RunStore,
  id: string,
  { session, queue, selection, limit, signal, onProgress }: FreezeOptions,
): Promise<FrozenSelection | undefined> {
  const isMeant = selector(selection);
  const frozen = new FrozenSelection();
  const parts: Buffer[] = [];
  const of = onProgress ? await session.depth(queue) : 0;
  await session.browse(queue, {
    limit: Number.MAX_SAFE_INTEGER,
    onMessage(message) {
      if (frozen.left >= limit || signal?.aborted) return false;
      frozen.looked += 1;
      if (frozen.looked % TELL_EVERY === 0) {
        onProgress?.({ step: 'choosing', done: frozen.looked, of });
      }
      if (!isMeant(readDeadLetter(message, 0))) return true;
      const key = letterKey(message);
      const at = frozen.left % PART_KEYS;
      if (at === 0) parts.push(Buffer.alloc(PART_KEYS * KEY_BYTES));
      parts.at(-1)?.set(key, at * KEY_BYTES);
      frozen.chosen(key);
      return true;
    },
  });
  if (signal?.aborted) return undefined;
  const last = parts.pop();
  const length = (frozen.left - parts.length * PART_KEYS) * KEY_BYTES;
  if (last) parts.push(last.subarray(0, length));
  await store.fix(id, parts);
  return frozen;
}

/** What was fixed then, without what is done. @throws what the store rejects with */
export async function restore(store: RunStore, id: string): Promise<FrozenSelection> {
  const frozen = new FrozenSelection();
  let afterSeq = 0;
  for (;;) {
    const parts = await store.keys(id, { afterSeq, limit: PARTS_AT_ONCE });
    for (const { seq, isDone, keys } of parts) {
      afterSeq = seq;
      for (let at = 0; at + KEY_BYTES <= keys.length; at += KEY_BYTES) {
        const key = keys.subarray(at, at + KEY_BYTES);
        if (isDone) frozen.done(key);
        else frozen.chosen(key);
      }
    }
    if (parts.length < PARTS_AT_ONCE) return frozen;
  }
}
