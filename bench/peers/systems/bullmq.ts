import { Queue, Worker } from 'bullmq';
import type { BenchPayload } from '../../payload.ts';
import {
  type BenchPublisher,
  type BenchWorker,
  type JobSystem,
  type OnJob,
  publishBatched,
} from '../../systems/system.ts';
import type { AppendFsync } from '../redis.ts';

/** How BullMQ is run; plain data. */
export interface BullmqSpec {
  readonly kind: 'bullmq';
  readonly port: number;
  readonly appendFsync: AppendFsync;
}

const DURABILITY: Readonly<Record<AppendFsync, string>> = {
  always: 'Redis, append-only file synced to disk before each answer',
  everysec:
    'Redis, append-only file synced to disk once a second: a crash of the machine loses up to that',
  no: 'Redis, append-only file synced when the system likes: a crash of the machine loses up to half a minute',
};

/** As much as its documentation recommends to keep; a queue that keeps every ended job fills the memory. */
const KEEP_COMPLETED = 1_000;
const BATCH = 1_000;
const QUEUE = 'bench';

/** BullMQ on a Redis of the bench's own. */
export class BullmqSystem implements JobSystem {
  readonly name: string;
  readonly durability: string;
  readonly settings =
    `add and addBulk of ${BATCH}, attempts 3 with a fixed backoff of 1 s, removeOnComplete keeps ${KEEP_COMPLETED}, maxRetriesPerRequest null for the worker; ioredis`;
  readonly share: number;
  readonly source;
  readonly #spec: BullmqSpec;

  constructor(spec: BullmqSpec) {
    this.#spec = spec;
    this.name = `BullMQ, appendfsync ${spec.appendFsync}`;
    this.durability = DURABILITY[spec.appendFsync];
    this.share = spec.appendFsync === 'always' ? 0.5 : 1;
    this.source = { program: 'bench/peers/systems/program.ts', spec };
  }

  async prepare(): Promise<void> {
    const queue = this.#queue();
    await queue.obliterate({ force: true });
    await queue.close();
  }

  async publisher(): Promise<BenchPublisher> {
    const queue = this.#queue();
    await queue.waitUntilReady();
    return {
      publish: (payload) => queue.add('job', payload),
      publishMany: (count, payloadAt) =>
        publishBatched(
          (payloads) => queue.addBulk(payloads.map((data) => ({ name: 'job', data }))),
          count,
          payloadAt,
          BATCH,
        ),
      close: () => queue.close(),
    };
  }

  async worker(onJob: OnJob, concurrency: number): Promise<BenchWorker> {
    const worker = new Worker<BenchPayload>(
      QUEUE,
      async ({ data, attemptsMade }) => onJob({ order: data.order, attempt: attemptsMade + 1 }),
      { connection: { ...this.#connection, maxRetriesPerRequest: null }, concurrency },
    );
    await worker.waitUntilReady();
    return { stop: () => worker.close() };
  }

  dispose(): Promise<void> {
    return this.prepare();
  }

  get #connection() {
    return { host: '127.0.0.1', port: this.#spec.port };
  }

  #queue(): Queue<BenchPayload> {
    return new Queue<BenchPayload>(QUEUE, {
      connection: this.#connection,
      defaultJobOptions: {
        attempts: 3,
        backoff: { type: 'fixed', delay: 1_000 },
        removeOnComplete: { count: KEEP_COMPLETED },
      },
    });
  }
}
