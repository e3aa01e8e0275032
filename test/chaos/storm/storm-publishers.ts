import { setTimeout as pause } from 'node:timers/promises';
import type { Jobs } from '@warren/client';
import { newJobId } from '@warren/contracts';
import { MAX_ATTEMPTS, type StormPayload, stormJob } from '../fixtures/storm-job.ts';
import { Bell } from '../support/bell.ts';
import type { StormLedger, TrackedJob } from './storm-ledger.ts';

/** Refusals that come from the faults; any other is a bug and ends the run. */
const REPEATABLE = new Set([
  'BROKER_UNAVAILABLE',
  'BROKER_BLOCKED',
  'PUBLISH_REFUSED',
  'PUBLISH_TIMEOUT',
  'UNROUTABLE',
]);

const TICK_MS = 20;
const AGAIN_MS = 100;
/** Publishes under way at once: no more are begun while so many wait for a broker that is away. */
const MAX_UNDERWAY = 100;
/** Accepted jobs that wait: more would only tell how fast a backlog is worked off. */
const MAX_BACKLOG = 3_000;

const FAILS_ONCE = 0.1;
const DOOMED = 0.03;
const FATAL = 0.02;

/** Publishes a steady rate of jobs, each until it is accepted, under the same id. */
export class StormPublishers extends Bell {
  /** Publishes that were refused or not answered, by error code. */
  readonly refused: Record<string, number> = {};
  readonly #jobs: Jobs;
  readonly #ledger: StormLedger;
  readonly #random: () => number;
  readonly #maxWorkMs: number;
  readonly #underway = new Set<Promise<void>>();
  #holds = 0;
  #failure: Error | undefined;

  constructor(
    jobs: Jobs,
    ledger: StormLedger,
    { random, maxWorkMs }: { random: () => number; maxWorkMs: number },
  ) {
    super();
    this.#maxWorkMs = maxWorkMs;
    this.#jobs = jobs;
    this.#ledger = ledger;
    this.#random = random;
  }

  /** Publishes for as long as `more` answers yes; resolves when everything under way is accepted. */
  async publishWhile(more: () => boolean, perSecond: number): Promise<void> {
    let lastMs = performance.now();
    let due = 0;
    while (more()) {
      const nowMs = performance.now();
      due = Math.min(MAX_UNDERWAY, due + ((nowMs - lastMs) / 1_000) * perSecond);
      lastMs = nowMs;
      for (; due >= 1 && this.#mayBegin; due -= 1) this.#begin();
      await pause(TICK_MS);
      if (this.#failure) throw this.#failure;
    }
    await Promise.all(this.#underway);
  }

  /** Begins no more publishes until the returned function is called; resolves when none is under way. */
  async hold(withinMs: number): Promise<() => void> {
    this.#holds += 1;
    const release = () => {
      this.#holds -= 1;
    };
    try {
      await this.until('no publish is under way', () => this.#underway.size === 0, withinMs);
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }

  get #mayBegin(): boolean {
    const { missing } = this.#ledger;
    return this.#holds === 0 && this.#underway.size < MAX_UNDERWAY && missing < MAX_BACKLOG;
  }

  #begin(): void {
    const payload = drawPayload(this.#random, this.#maxWorkMs);
    const job = this.#ledger.publish(newJobId(), payload);
    const done = this.#publish(job)
      .catch((error: unknown) => {
        this.#failure = error as Error;
      })
      .finally(() => {
        this.#underway.delete(done);
        this.ring();
      });
    this.#underway.add(done);
  }

  async #publish(job: TrackedJob): Promise<void> {
    for (;;) {
      try {
        await this.#jobs.publish(stormJob, job.payload, { id: job.id });
        this.#ledger.accept(job);
        return;
      } catch (error) {
        const code = String((error as { code?: unknown }).code);
        if (!REPEATABLE.has(code)) throw error;
        this.refused[code] = (this.refused[code] ?? 0) + 1;
        job.repeats += 1;
        await pause(AGAIN_MS);
      }
    }
  }
}

function drawPayload(random: () => number, maxWorkMs: number): StormPayload {
  const workMs = Math.round(random() * maxWorkMs);
  const drawn = random();
  if (drawn < DOOMED) return { fails: MAX_ATTEMPTS, isFatal: false, workMs };
  if (drawn < DOOMED + FATAL) return { fails: 1, isFatal: true, workMs };
  return { fails: drawn < DOOMED + FATAL + FAILS_ONCE ? 1 : 0, isFatal: false, workMs };
}
