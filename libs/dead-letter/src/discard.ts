import { type Delivery, readMessage } from '@warren/broker';
import type { HistorySink } from '@warren/history';
import type { Topology } from '@warren/topology';
import { originOf } from './dead-letter.ts';
import { type LedgerOptions, withLedger } from './ledger/ledger-run.ts';
import { letterEvent } from './letter-events.ts';
import { type TakeReport, takeReport } from './replay-report.ts';
import type { ReplaySource } from './replay-source.ts';
import { type TakeHow, type TakeLettersOptions, takeLetters } from './take-letters.ts';
import { TakeTally } from './take-tally.ts';

/** What a discard needs. */
export interface DiscardOptions extends TakeLettersOptions {
  readonly topology: Topology;
  readonly source: ReplaySource;
  /** Who discards, for whoever comes second. */
  readonly holder: string;
  /** The same for the history. */
  readonly by?: string | undefined;
  /** Is told of each before it is gone. */
  readonly history?: HistorySink | undefined;
  /** As in `ReplayOptions`. */
  readonly ledger?: LedgerOptions | undefined;
}

/** What a discard did. */
export interface DiscardReport extends TakeReport {
  readonly discarded: number;
}

/**
 * Drops dead letters for good. Each is told to the history first. Killed at any moment, those that it did not come to are
 * in the queue.
 * @throws LockHeldError naming who takes from the same queue; QueueMissingError. Whatever ends it later is in the report
 */
export async function discard(options: DiscardOptions): Promise<DiscardReport> {
  const { session, topology, source, holder } = options;
  const { queue } = source;
  await session.depth(queue);
  await session.lock(topology.names.replayLock(queue), holder);
  const { selection, limit, ledger, onProgress } = options;
  const { signal: asked } = options;
  const what = { session, queue, selection, limit, ledger, onProgress, signal: asked };
  return withLedger(what, async (run, signal) => {
    const depth = await session.depth(queue);
    const tally = new TakeTally();
    const how = { ...options, signal, run, limit: run?.limit ?? limit };
    const toLookAt = run?.toLookAt(depth) ?? depth;
    const end = await takeLetters(queue, toLookAt, how, tally, (delivery) =>
      drop(delivery, how, tally),
    );
    return { ...takeReport({ queue, dryRun: false, depth }, end, tally), discarded: tally.taken };
  });
}

async function drop(
  delivery: Delivery,
  { topology, source, history, by, run }: DiscardOptions & Pick<TakeHow, 'run'>,
  tally: TakeTally,
): Promise<void> {
  const { message } = delivery;
  const queue = originOf(message) ?? source.workQueue ?? message.fields.routingKey;
  const deed = { kind: 'discarded', queue, by, atMs: Date.now() } as const;
  const event = letterEvent(readMessage(delivery), deed, topology.names);
  if (event) await history?.recordFinal(event);
  await run?.done(delivery);
  if (delivery.ack()) tally.taken += 1;
  else tally.unknown += 1;
}
