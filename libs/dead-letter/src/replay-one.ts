import { type BrokerSession, type Delivery, MAX_BROWSE, readMessage } from '@warren/broker';
import type { Topology } from '@warren/topology';
import { publishReplay } from './publish-replay.ts';
import { placeOf, type ReplaySource, replayTargets, targetOf } from './replay-source.ts';
import { TargetChecks } from './target-checks.ts';

/** What replaying one dead letter needs. */
export interface ReplayOneOptions {
  /** As in `ReplayOptions`. */
  readonly session: BrokerSession;
  readonly topology: Topology;
  readonly source: ReplaySource;
  /** Of the job. */
  readonly id: string;
  /** Who replays, for whoever comes second. */
  readonly holder: string;
}

/** What became of it. `missing`: it is not among the oldest 65,535 that nobody has in hand. */
export type ReplayedOne =
  | { readonly kind: 'replayed'; readonly queue: string; readonly generation: number }
  | { readonly kind: 'missing' }
  /** It stays where it is. */
  | { readonly kind: 'left'; readonly problem: string };

/** A broker that has something delivers it; somebody else may hold what was counted. */
const QUIET_MS = 2_000;

/**
 * Moves one dead letter back to the queue that it failed in, and gives back all that were looked at for it.
 * @throws LockHeldError, QueueMissingError, or whatever the publish or the connection failed with; nothing is lost then
 */
export async function replayOne(options: ReplayOneOptions): Promise<ReplayedOne> {
  const { session, topology, source, holder, id } = options;
  await session.depth(source.queue);
  await session.lock(topology.names.replayLock(source.queue), holder);
  const depth = await session.depth(source.queue);
  const search = new Search(session, source.queue, id, Math.min(depth, MAX_BROWSE));
  try {
    const delivery = await search.found();
    return delivery ? await move(delivery, options) : { kind: 'missing' };
  } finally {
    await search.close();
  }
}

async function move(
  delivery: Delivery,
  { session, topology, source }: ReplayOneOptions,
): Promise<ReplayedOne> {
  const received = readMessage(delivery);
  const queue = targetOf(placeOf(delivery.message), source, replayTargets(topology, source));
  const problem = await new TargetChecks(session).problemOf(queue);
  if (problem !== undefined || queue === undefined) return { kind: 'left', problem: problem ?? '' };
  const to = { exchange: topology.names.due, queue };
  await publishReplay(session, { delivery, received, to, atMs: Date.now() });
  delivery.ack();
  return { kind: 'replayed', queue, generation: received.generation + 1 };
}

/** Holds what it is given until it has what it looks for. */
class Search {
  readonly #session: BrokerSession;
  readonly #id: string;
  readonly #most: number;
  readonly #consumer: ReturnType<BrokerSession['consume']>;
  readonly #end: Promise<Delivery | undefined>;
  #finish: (delivery: Delivery | undefined) => void = () => {};
  #fail: (error: unknown) => void = () => {};
  #quiet: NodeJS.Timeout | undefined;
  #seen = 0;

  constructor(session: BrokerSession, queue: string, id: string, most: number) {
    this.#session = session;
    this.#id = id;
    this.#most = most;
    this.#end = new Promise((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
    this.#consumer = session.consume({
      queue,
      prefetch: Math.max(1, most),
      onDelivery: (delivery) => this.#look(delivery),
      onLost: (reason) => this.#fail(session.lost.reason ?? new Error(reason)),
    });
  }

  found(): Promise<Delivery | undefined> {
    if (this.#most === 0) return Promise.resolve(undefined);
    this.#consumer.start();
    this.#waitOn();
    return this.#end;
  }

  async close(): Promise<void> {
    clearTimeout(this.#quiet);
    await this.#session.giveBack(this.#consumer);
  }

  #look(delivery: Delivery): void {
    this.#seen += 1;
    if (readMessage(delivery).id === this.#id) this.#finish(delivery);
    else if (this.#seen >= this.#most) this.#finish(undefined);
    else this.#waitOn();
  }

  #waitOn(): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#finish(undefined), QUIET_MS);
  }
}
