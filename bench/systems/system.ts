import type { BenchPayload } from '../payload.ts';

/** Publishes in flight at once, for systems that answer each. */
export const WINDOW = 1_000;

/** A run of the handler. */
export interface HandledJob {
  /** That of its payload. */
  readonly order: number;
  /** 1 for the first. */
  readonly attempt: number;
}

/** The handler's whole work. What it throws fails the attempt. */
export type OnJob = (job: HandledJob) => void;

/** Gives the payload of the nth job, from 0. */
export type PayloadAt = (index: number) => BenchPayload;

/** One who publishes, connected. */
export interface BenchPublisher {
  /** Resolves when the job is as safe as the system's durability says. */
  publish(payload: BenchPayload): Promise<unknown>;
  /** Publishes many in the way that its documentation has for that; resolves when all are safe. */
  publishMany(count: number, payloadAt: PayloadAt): Promise<void>;
  close(): Promise<void>;
}

/** One who handles jobs, consuming. */
export interface BenchWorker {
  stop(): Promise<void>;
}

/** How to make a system again in another process. */
export interface SystemSource {
  /** The program that can, from the root of the repository. */
  readonly program: string;
  /** What it makes it from; survives JSON. */
  readonly spec: object;
}

/** A job system as its users run it: an adapter of a few lines around its own client. */
export interface JobSystem {
  readonly name: string;
  /** What an answered publish survives. */
  readonly durability: string;
  /** How it is set, where that is not its default. */
  readonly settings: string;
  /** Of the jobs of a scenario, the share that it is given, so that a round of a slow one ends in time. */
  readonly share: number;
  /** Set for a second way to work in a system that is published to all the same: that was measured with the first. */
  readonly publishesAsAnother?: boolean;
  readonly source: SystemSource;
  /** Leaves an empty queue. */
  prepare(): Promise<void>;
  publisher(): Promise<BenchPublisher>;
  /** @param concurrency handlers at once; where jobs are of several types, of each */
  worker(onJob: OnJob, concurrency: number): Promise<BenchWorker>;
  /** Removes everything that it made. */
  dispose(): Promise<void>;
}

/** Makes the payload of every job, of which only the order differs; `order` tells what a job of the bench's own is. */
export function payloadsOf(base: BenchPayload): PayloadAt {
  return (order) => ({ ...base, order });
}

/** Calls `publish` for `count` payloads with at most `window` of them not yet answered. */
export function publishWindowed(
  publish: BenchPublisher['publish'],
  count: number,
  payloadAt: PayloadAt,
  window: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let sent = 0;
    let answered = 0;
    const onAnswer = () => {
      answered += 1;
      if (answered === count) resolve();
      else fill();
    };
    const fill = () => {
      while (sent < count && sent - answered < window) {
        publish(payloadAt(sent)).then(onAnswer, reject);
        sent += 1;
      }
    };
    fill();
  });
}

/** Gives `publishBatch` the payloads in batches, one batch after the other. */
export async function publishBatched(
  publishBatch: (payloads: BenchPayload[]) => Promise<unknown>,
  count: number,
  payloadAt: PayloadAt,
  size: number,
): Promise<void> {
  for (let from = 0; from < count; from += size) {
    const length = Math.min(size, count - from);
    await publishBatch(Array.from({ length }, (_, index) => payloadAt(from + index)));
  }
}
