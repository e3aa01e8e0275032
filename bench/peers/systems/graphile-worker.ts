import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import type { BenchPayload } from '../../payload.ts';
import {
  type BenchPublisher,
  type BenchWorker,
  type JobSystem,
  type OnJob,
  publishBatched,
} from '../../systems/system.ts';
import { dropSchema, POSTGRES_SYNCED } from './postgres.ts';

/** How graphile-worker is run; plain data. */
export interface GraphileWorkerSpec {
  readonly kind: 'graphile-worker';
  readonly databaseUrl: string;
}

const SCHEMA = 'bench_graphile_worker';
const TASK = 'bench';
const BATCH = 1_000;
const LOCAL_QUEUE = 500;

/** graphile-worker in a schema of its own, set as its page about performance sets it. */
export class GraphileWorkerSystem implements JobSystem {
  readonly name = 'graphile-worker';
  readonly durability = POSTGRES_SYNCED;
  readonly settings =
    `addJob, and addJobs of ${BATCH}; localQueue ${LOCAL_QUEUE}, completeJobBatchDelay 0, failJobBatchDelay 0, maxPoolSize of the concurrency and two; maxAttempts 3`;
  readonly share = 0.5;
  readonly source;
  readonly #spec: GraphileWorkerSpec;

  constructor(spec: GraphileWorkerSpec) {
    this.#spec = spec;
    this.source = { program: 'bench/peers/systems/program.ts', spec };
  }

  async prepare(): Promise<void> {
    await this.dispose();
    const utils = await this.#utils();
    await utils.migrate();
    await utils.release();
  }

  async publisher(): Promise<BenchPublisher> {
    const utils = await this.#utils();
    return {
      publish: (payload) => utils.addJob(TASK, payload, { maxAttempts: 3 }),
      publishMany: (count, payloadAt) =>
        publishBatched(
          (payloads) =>
            utils.addJobs(
              payloads.map((payload) => ({ identifier: TASK, payload, maxAttempts: 3 })),
            ),
          count,
          payloadAt,
          BATCH,
        ),
      close: async () => utils.release(),
    };
  }

  async worker(onJob: OnJob, concurrency: number): Promise<BenchWorker> {
    const runner = await run({
      preset: {
        worker: {
          ...this.#options,
          concurrentJobs: concurrency,
          maxPoolSize: concurrency + 2,
          localQueue: { size: LOCAL_QUEUE },
          completeJobBatchDelay: 0,
          failJobBatchDelay: 0,
        },
      },
      noHandleSignals: true,
      taskList: {
        [TASK]: async (payload, { job }) =>
          onJob({ order: (payload as BenchPayload).order, attempt: job.attempts }),
      },
    });
    return { stop: () => runner.stop() };
  }

  dispose(): Promise<void> {
    return dropSchema(this.#spec.databaseUrl, SCHEMA);
  }

  get #options() {
    return {
      connectionString: this.#spec.databaseUrl,
      schema: SCHEMA,
      // Its log, of a line per job, is kept off the terminal as Warren's is.
      logger: new Logger(() => () => {}),
    };
  }

  #utils() {
    return makeWorkerUtils({ preset: { worker: this.#options } });
  }
}
