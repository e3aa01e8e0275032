import PgBoss from 'pg-boss';
import type { BenchPayload } from '../../payload.ts';
import {
  type BenchPublisher,
  type BenchWorker,
  type JobSystem,
  type OnJob,
  publishBatched,
} from '../../systems/system.ts';
import { dropSchema, POSTGRES_SYNCED } from './postgres.ts';

/** How pg-boss is run; plain data. */
export interface PgBossSpec {
  readonly kind: 'pg-boss';
  readonly databaseUrl: string;
  /** Whether a worker looks for jobs as often as it may, or is told at each full batch to look again at once. */
  readonly looks: 'polling' | 'told not to wait';
}

const SCHEMA = 'bench_pgboss';
const QUEUE = 'bench';
const BATCH = 1_000;
/** The least that it allows. */
const POLLING_SECONDS = 0.5;

/** pg-boss in a schema of its own. */
export class PgBossSystem implements JobSystem {
  readonly name;
  readonly durability = POSTGRES_SYNCED;
  readonly settings;
  readonly share;
  readonly publishesAsAnother;
  readonly source;
  readonly #spec: PgBossSpec;
  readonly #isPolling: boolean;

  constructor(spec: PgBossSpec) {
    this.#spec = spec;
    this.name = `pg-boss, ${spec.looks}`;
    this.#isPolling = spec.looks === 'polling';
    const notifies = this.#isPolling
      ? ''
      : ', told by notifyWorker not to wait while batches are full';
    this.settings = `send, and insert of ${BATCH}; a worker with a batchSize of the concurrency, pollingIntervalSeconds ${POLLING_SECONDS}${notifies}; retryLimit 2, retryDelay 1`;
    // A poll takes one batch.
    this.share = this.#isPolling ? 0.02 : 0.25;
    this.publishesAsAnother = this.#isPolling;
    this.source = { program: 'bench/peers/systems/program.ts', spec };
  }

  async prepare(): Promise<void> {
    await dropSchema(this.#spec.databaseUrl, SCHEMA);
    const boss = await this.#start();
    await boss.createQueue(QUEUE);
    await boss.stop({ graceful: false });
  }

  async publisher(): Promise<BenchPublisher> {
    const boss = await this.#start();
    return {
      publish: (payload) => boss.send(QUEUE, payload),
      publishMany: (count, payloadAt) =>
        publishBatched(
          (payloads) => boss.insert(payloads.map((data) => ({ name: QUEUE, data }))),
          count,
          payloadAt,
          BATCH,
        ),
      close: () => boss.stop({ graceful: false }),
    };
  }

  async worker(onJob: OnJob, concurrency: number): Promise<BenchWorker> {
    const boss = await this.#start();
    const options = { batchSize: concurrency, pollingIntervalSeconds: POLLING_SECONDS };
    const id: string = await boss.work<BenchPayload>(QUEUE, options, async (jobs) => {
      for (const { data } of jobs) onJob({ order: data.order, attempt: 1 });
      if (!this.#isPolling && jobs.length === concurrency) boss.notifyWorker(id);
    });
    return { stop: () => boss.stop({ timeout: 5_000 }) };
  }

  dispose(): Promise<void> {
    return dropSchema(this.#spec.databaseUrl, SCHEMA);
  }

  async #start(): Promise<PgBoss> {
    const boss = new PgBoss({
      connectionString: this.#spec.databaseUrl,
      schema: SCHEMA,
      retryLimit: 2,
      retryDelay: 1,
    });
    boss.on('error', (error) => process.stderr.write(`pg-boss: ${error.message}\n`));
    return boss.start();
  }
}
