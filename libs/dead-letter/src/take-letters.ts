import type { BrokerSession, Delivery } from '@warren/broker';
import type { HeldBy } from './circuit-hold.ts';
import { readDeadLetter } from './dead-letter.ts';
import type { LedgerRun } from './ledger/ledger-run.ts';
import type { OnLetterProgress } from './progress.ts';
import { isWhole, type Selection, selector } from './selection.ts';
import { type TakeOptions, TakeRun, type TakeWait } from './take-run.ts';
import type { Stop, TakeEnd, TakeTally } from './take-tally.ts';

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
  readonly onProgress?: OnLetterProgress | undefined;
  /** Aborting it ends the run after those in hand. */
  readonly signal?: AbortSignal | undefined;
}

/** How it is done. */
export interface TakeHow extends TakeLettersOptions {
  /** What was chosen, where that is remembered; `selection` and `limit` are done with then. */
  readonly run?: LedgerRun | undefined;
  /** None is met twice: it ends when the broker would let it hold nothing any longer. */
  readonly isOnce?: boolean | undefined;
  readonly wait?: TakeWait | undefined;
}

const WINDOW = 200;

const ASKED: Stop = { reason: 'interrupted', message: 'it was asked to end' };

const TOO_SLOW: Stop = {
  reason: 'stalled',
  message: 'it took longer than the broker lets anybody hold messages',
};

/**
 * Does something with each dead letter that is meant. How many are looked at is fixed by `depth`: what comes in later is
 * not met. The rest is back in the queue, in its order, when it resolves; it never rejects.
 */
export async function takeLetters(
  queue: string,
  depth: number,
  options: TakeHow,
  tally: TakeTally,
  act: (delivery: Delivery) => Promise<void>,
): Promise<TakeEnd> {
  const { session, signal, ratePerSecond, window = WINDOW, limit = Infinity, run, wait } = options;
  const wants = wantedBy(options);
  const common = { session, queue, signal, ratePerSecond, window, act, wants, wait };
  const isAll = !run && isWhole(options.selection);
  const before = tally.taken;
  const removedBefore = before + tally.doneBefore;
  if (signal?.aborted) return { selected: 0, stopped: ASKED };
  for (;;) {
    const taken = tally.taken - before;
    const room = limit - taken;
    const there = depth - (tally.taken + tally.doneBefore - removedBefore);
    const scan = isAll ? Math.min(there, room) : there;
    if (scan <= 0 || room <= 0) return { selected: taken, stopped: undefined };
    const onProgress = options.onProgress && progressOf(options, tally, scan);
    const one = new TakeRun({ ...common, onProgress, scan, limit: room }, tally);
    const { again, stopped } = await one.done();
    if (!again) return { selected: taken + (isAll ? scan : one.chosen), stopped };
    if (options.isOnce) return { selected: taken + one.chosen, stopped: TOO_SLOW };
    tally.beginAgain();
  }
}

/** Of what is remembered it is known how many are meant; else how many are to be looked at. */
function progressOf({ onProgress, run }: TakeHow, tally: TakeTally, scan: number) {
  const chosen = run && tally.taken + run.left;
  return (seen: number, waitingFor: HeldBy | undefined) => {
    const done = chosen === undefined ? seen : tally.taken;
    onProgress?.({ step: 'taking', done, of: chosen ?? scan, waitingFor });
  };
}

function wantedBy({ run, selection }: TakeHow): TakeOptions['wants'] {
  if (run) return (delivery) => run.wants(delivery);
  if (isWhole(selection)) return () => 'take';
  const isMeant = selector(selection);
  return ({ message }) => (isMeant(readDeadLetter(message, 0)) ? 'take' : 'pass');
}
