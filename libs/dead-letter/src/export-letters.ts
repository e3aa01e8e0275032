import type { Delivery } from '@warren/broker';
import type { Topology } from '@warren/topology';
import { type DeadLetter, readDeadLetter } from './dead-letter.ts';
import { type LetterRecord, letterRecord } from './letter-record.ts';
import { type TakeReport, takeReport } from './replay-report.ts';
import type { ReplaySource } from './replay-source.ts';
import { type TakeLettersOptions, takeLetters } from './take-letters.ts';
import { TakeTally } from './take-tally.ts';

/** What an export needs. */
export interface ExportOptions extends TakeLettersOptions {
  readonly topology: Topology;
  readonly source: ReplaySource;
  /** Who exports, for whoever wants to take from the queue meanwhile. */
  readonly holder: string;
  /** Takes one after the other; the next comes when it resolves. */
  write(record: LetterRecord, letter: DeadLetter): Promise<void>;
}

/** What an export did. */
export interface ExportReport extends TakeReport {
  readonly exported: number;
}

/**
 * Writes dead letters elsewhere and takes none: all are back in the queue, in their order, when it resolves. Memory is flat.
 * @throws LockHeldError naming who takes from the queue; QueueMissingError. Whatever ends it later is in the report
 */
export async function exportLetters(options: ExportOptions): Promise<ExportReport> {
  const { session, topology, source, holder } = options;
  const { queue } = source;
  await session.depth(queue);
  await session.lock(topology.names.replayLock(queue), holder);
  const depth = await session.depth(queue);
  const tally = new TakeTally();
  const name = withoutNamespace(queue, topology.names.namespace);
  let exported = 0;
  let last: Promise<void> = Promise.resolve();
  const write = async (before: Promise<void>, { message }: Delivery) => {
    await before;
    await options.write(letterRecord(message, name), readDeadLetter(message, exported + 1));
    exported += 1;
  };
  const end = await takeLetters(queue, depth, { ...options, isOnce: true }, tally, async (one) => {
    last = write(last, one);
    await last;
    tally.passed += 1;
    one.leave();
  });
  tally.passed -= exported;
  return { ...takeReport({ queue, dryRun: false, depth }, end, tally), exported };
}

function withoutNamespace(queue: string, namespace: string | undefined): string {
  const prefix = namespace === undefined ? '' : `${namespace}.`;
  return queue.startsWith(prefix) ? queue.slice(prefix.length) : queue;
}
