import { type BrokerSession, readMessage } from '@warren/broker';
import type { HistorySink } from '@warren/history';
import type { Topology } from '@warren/topology';
import { originOf } from './dead-letter.ts';
import { letterEvent } from './letter-events.ts';
import { deadLetterMessage, type LetterRecord, originalOf } from './letter-record.ts';
import { replayCopy } from './replay-copy.ts';
import { type ReplaySource, replayTargets, targetOf } from './replay-source.ts';
import { TargetChecks } from './target-checks.ts';

/** What an import needs. */
export interface ImportOptions {
  readonly session: BrokerSession;
  readonly topology: Topology;
  /** Publishes to the queues that they failed in, as a replay does; otherwise they are dead letters again. */
  readonly toQueue: boolean;
  /** Who imports, for the history. */
  readonly by?: string | undefined;
  readonly history?: HistorySink | undefined;
}

/** Publishes exported dead letters, one call for each; resolves with the queue when the broker has confirmed it. */
export class LetterImport {
  readonly #options: ImportOptions;
  readonly #checks: TargetChecks;

  constructor(options: ImportOptions) {
    this.#options = options;
    this.#checks = new TargetChecks(options.session);
  }

  /** @throws Error when there is no queue for it, or what a publish failed with */
  async publish(record: LetterRecord, source: ReplaySource): Promise<string> {
    return this.#options.toQueue ? this.#replay(record, source) : this.#bury(record, source);
  }

  async #bury(record: LetterRecord, { queue }: ReplaySource): Promise<string> {
    const problem = await this.#checks.problemOf(queue);
    if (problem !== undefined) throw new Error(problem);
    const { session, topology } = this.#options;
    await session.publisher.publish(deadLetterMessage(record, wayTo(queue, record, topology)));
    return queue;
  }

  async #replay(record: LetterRecord, source: ReplaySource): Promise<string> {
    const { session, topology, history, by } = this.#options;
    const atMs = Date.now();
    const original = originalOf(record, atMs);
    const letter = { origin: originOf(original.message), routingKey: record.routingKey };
    const queue = targetOf(letter, source, replayTargets(topology, source));
    const problem = await this.#checks.problemOf(queue);
    if (problem !== undefined || queue === undefined) throw new Error(problem);
    const received = readMessage(original);
    const to = { exchange: topology.names.due, queue };
    await session.publisher.publish(replayCopy(original, received, to, atMs));
    const event = letterEvent(received, { kind: 'replayed', queue, by, atMs }, topology.names);
    if (event) history?.record(event);
    return queue;
  }
}

/**
 * As dead letters come there by themselves: while the queue is declared anew, what would be sent straight to it might be deleted
 * with it. The unroutable are known by the key that they came with.
 */
function wayTo(
  queue: string,
  { routingKey }: LetterRecord,
  { names, bindings }: Pick<Topology, 'names' | 'bindings'>,
): { readonly exchange: string; readonly routingKey: string } {
  const binding = bindings.find((one) => one.queue === queue);
  if (!binding) return { exchange: '', routingKey: queue };
  return queue === names.unroutable ? { exchange: binding.exchange, routingKey } : binding;
}
