import { MAX_ATTEMPTS, type RunEvent, type StormPayload } from '../fixtures/storm-job.ts';

/** One run of a handler, as it told itself. */
export interface SeenRun {
  /** The life of the process that it was in. */
  readonly life: string;
  readonly run: number;
  readonly attempt: number;
  readonly startedAtMs: number;
  ended: 'succeeded' | 'failed' | undefined;
}

/** A job, from its first publish on. */
export interface TrackedJob {
  readonly id: string;
  readonly payload: StormPayload;
  readonly publishedAtMs: number;
  acceptedAtMs: number | undefined;
  /** Publishes that were refused or not answered, after which the same was published again. */
  repeats: number;
  readonly runs: SeenRun[];
  isDone: boolean;
}

/** Whether its handler is told to give it up in the end. */
export const isDoomed = ({ fails, isFatal }: StormPayload): boolean =>
  isFatal || fails >= MAX_ATTEMPTS;

/** Account of what was published, accepted and run; it outlives the processes that did it. */
export class StormLedger {
  readonly jobs = new Map<string, TrackedJob>();
  #accepted = 0;
  #missing = 0;
  #progressAtMs = Date.now();
  #longestStallMs = 0;

  get accepted(): number {
    return this.#accepted;
  }

  /** Accepted jobs whose handlers have more to do. */
  get missing(): number {
    return this.#missing;
  }

  /** The longest time without the end of a run while an accepted job was missing. */
  get longestStallMs(): number {
    return this.#missing > 0
      ? Math.max(this.#longestStallMs, Date.now() - this.#progressAtMs)
      : this.#longestStallMs;
  }

  /** When a run ended the last time. */
  get progressAtMs(): number {
    return this.#progressAtMs;
  }

  /** A job is about to be published; from then on it may run, whatever its publisher learns. */
  publish(id: string, payload: StormPayload): TrackedJob {
    const job: TrackedJob = {
      id,
      payload,
      publishedAtMs: Date.now(),
      acceptedAtMs: undefined,
      repeats: 0,
      runs: [],
      isDone: false,
    };
    this.jobs.set(id, job);
    return job;
  }

  accept(job: TrackedJob): void {
    job.acceptedAtMs = Date.now();
    this.#accepted += 1;
    if (job.isDone) return;
    if (this.#missing === 0) this.#progressAtMs = Date.now();
    this.#missing += 1;
  }

  record(life: string, { event, id, attempt, run, atMs }: RunEvent): void {
    const job = this.jobs.get(id);
    // Of no job of this storm: nobody published it.
    if (!job) throw new Error(`a job that nobody published was run: ${id}`);
    if (event === 'started') {
      job.runs.push({ life, run, attempt, startedAtMs: atMs, ended: undefined });
    } else this.#end(job, life, run, event);
  }

  #end(job: TrackedJob, life: string, run: number, ended: 'succeeded' | 'failed'): void {
    const seen = job.runs.find((one) => one.life === life && one.run === run);
    if (seen) seen.ended = ended;
    const nowMs = Date.now();
    if (this.#missing > 0) {
      this.#longestStallMs = Math.max(this.#longestStallMs, nowMs - this.#progressAtMs);
    }
    this.#progressAtMs = nowMs;
    const isLast = ended === 'succeeded' || isFinalFailure(job, seen?.attempt ?? 1);
    if (!isLast || job.isDone) return;
    job.isDone = true;
    if (job.acceptedAtMs !== undefined) this.#missing -= 1;
  }
}

function isFinalFailure({ payload }: TrackedJob, attempt: number): boolean {
  return payload.isFatal || attempt >= MAX_ATTEMPTS;
}
