import type { BrokerSession, Delivery } from '@warren/broker';
import { readDeadLetter } from './dead-letter.ts';
import { isWhole, type Selection, selector } from './selection.ts';
import { type TakeOptions, TakeRun } from './take-run.ts';
import type { Stop, TakeTally } from './take-tally.ts';

/** What everything that takes dead letters needs. */
export interface TakeLettersOptions {
  /** Lock, consumer and publisher are on this one connection: losing it ends the run. */
  readonly session: BrokerSession;
  /** Which are meant. Default: all that are ready at the start. */
  readonly selection?: Selection | undefined;
  /** Dead letters at most, from the oldest of those that are meant. */
  readonly limit?: number | undefined;
  /** Dead letters in hand at once, and so the most duplicates that a kill can make. Default 200. */
  readonly window?: number | undefined;
  /** Begun per second at most. Default: as fast as it goes. */
  readonly ratePerSecond?: number | undefined;
  /** Aborting it ends the run after those in hand. */
  readonly signal?: AbortSignal | undefined;
}

/** How a run went. */
export interface TakeEnd {
  /** Meant: of a selection, those that were met. */
  readonly selected: number;
  readonly stopped: Stop | undefined;
}

const WINDOW = 200;

const TOO_SLOW: Stop = {
  reason: 'stalled',
  message: 'it took longer than the broker lets anybody hold messages',
};

/**
 * Does something with each dead letter that is meant. How many are looked at is fixed by `depth`: what comes in later is
 * not met. The rest is back in the queue, in its order, when it resolves; it never rejects.
 * @param options with `isOnce`, none is met twice: it then ends when the broker would let it hold nothing any longer
 */
export async function takeLetters(
  queue: string,
  depth: number,
  options: TakeLettersOptions & { readonly isOnce?: boolean },
  tally: TakeTally,
  act: (delivery: Delivery) => Promise<void>,
): Promise<TakeEnd> {
  const { session, signal, ratePerSecond, window = WINDOW, limit = Infinity } = options;
  const wants = wantedBy(options.selection);
  const common = { session, queue, signal, ratePerSecond, window, act, wants };
  const before = tally.taken;
  for (;;) {
    const taken = tally.taken - before;
    const room = limit - taken;
    const scan = isWhole(options.selection) ? Math.min(depth - taken, room) : depth - taken;
    if (scan <= 0 || room <= 0) return { selected: taken, stopped: undefined };
    const run = new TakeRun({ ...common, scan, limit: room }, tally);
    const { again, stopped } = await run.done();
    if (!again) {
      const selected = isWhole(options.selection) ? scan : run.chosen;
      return { selected: taken + selected, stopped };
    }
    if (options.isOnce) return { selected: taken + run.chosen, stopped: TOO_SLOW };
    tally.beginAgain();
  }
}

function wantedBy(selection: Selection | undefined): TakeOptions['wants'] {
  if (isWhole(selection)) return () => true;
  const isMeant = selector(selection);
  return ({ message }) => isMeant(readDeadLetter(message, 0));
}
