import { setTimeout as pause } from 'node:timers/promises';
import { connectJobs, type Jobs } from '@warren/client';
import { createWorker, handle } from '@warren/worker';
import { benchJob, benchJobs } from '../job.ts';
import { kitOptions } from '../kit.ts';
import type { BenchPayload } from '../payload.ts';
import { QUORUM_CONFIRMED } from './queue-place.ts';
import { removeQueues, resetQueues } from './queues.ts';
import {
  type BenchPublisher,
  type BenchWorker,
  type JobSystem,
  type OnJob,
  type PayloadAt,
  publishWindowed,
  WINDOW,
} from './system.ts';
import type { TelemetrySpec } from './telemetry.ts';

const LOOK_MS = 10;

/** How Warren is run; plain data. */
export interface WarrenSpec {
  readonly kind: 'warren';
  readonly url: string;
  readonly namespace: string;
  /** Whether publisher and worker tell the history. */
  readonly history: boolean;
  /** How many are published: as calls of `publish`, a thousand not yet answered, or out of one iterable, which is the default. */
  readonly many?: 'publish' | 'publishMany';
  /** Over how many job types its jobs are spread, in turn. Absent for one. */
  readonly jobTypes?: number;
  /** What it tells of its work; absent for what it does by itself. */
  readonly telemetry?: TelemetrySpec;
}

/** Warren with all defaults on. */
export class WarrenSystem implements JobSystem {
  readonly name: string;
  readonly durability = QUORUM_CONFIRMED;
  readonly settings: string;
  readonly share = 1;
  readonly source;
  readonly #spec: WarrenSpec;
  readonly #jobs;

  constructor(spec: WarrenSpec) {
    this.#spec = spec;
    this.#jobs = benchJobs(spec.jobTypes ?? 1);
    this.name = spec.history ? 'warren, history' : 'warren';
    this.settings = `all defaults, schema checked on both sides, history ${spec.history ? 'on' : 'off'}, many by ${spec.many ?? 'publishMany'}, ${WINDOW} in flight`;
    this.source = { program: 'bench/systems/program.ts', spec };
  }

  prepare(): Promise<void> {
    return resetQueues(this.#spec.url, this.#spec.namespace, this.#types);
  }

  async publisher(): Promise<BenchPublisher> {
    const { history, many } = this.#spec;
    const types = this.#jobs;
    const jobs = await connectJobs({ ...(await this.#options()), history, jobs: types });
    // Connecting and declaring go on behind `connectJobs`; by hand they are over by now, and not what is compared.
    await ready(jobs);
    const typeOf = ({ order }: BenchPayload) => types[order % types.length] ?? benchJob;
    const publish = (payload: BenchPayload) => jobs.publish(typeOf(payload), payload);
    return {
      publish,
      async publishMany(count, payloadAt) {
        // One iterable is of one type.
        if (many === 'publish' || types.length > 1)
          return publishWindowed(publish, count, payloadAt, WINDOW);
        const source = payloads(count, payloadAt);
        for await (const result of jobs.publishMany(benchJob, source, { window: WINDOW })) {
          if ('error' in result) throw result.error;
        }
      },
      close: () => jobs.close(),
    };
  }

  async worker(onJob: OnJob, concurrency: number): Promise<BenchWorker> {
    const { history } = this.#spec;
    const worker = createWorker({
      ...(await this.#options()),
      history,
      handlers: this.#jobs.map((type) =>
        handle(type, ({ payload, attempt }) => onJob({ order: payload.order, attempt }), {
          concurrency,
        }),
      ),
    });
    await worker.start();
    return { stop: () => worker.stop() };
  }

  dispose(): Promise<void> {
    return removeQueues(this.#spec.url, this.#spec.namespace, this.#types);
  }

  get #types(): string[] {
    return this.#jobs.map(({ type }) => type);
  }

  async #options() {
    const { url, namespace, telemetry } = this.#spec;
    const options = kitOptions(url, namespace);
    if (!telemetry) return options;
    const { startTelemetry, muted } = await import('./telemetry.ts');
    await startTelemetry(telemetry, options.logger);
    return telemetry.metrics ? options : { ...options, metrics: muted(options.metrics) };
  }
}

/** Resolves when it is connected, and everything declared. */
async function ready(jobs: Jobs): Promise<void> {
  while (!jobs.readiness().ready) await pause(LOOK_MS);
}

function* payloads(count: number, payloadAt: PayloadAt): Generator<BenchPayload, void, undefined> {
  for (let index = 0; index < count; index += 1) yield payloadAt(index);
}
