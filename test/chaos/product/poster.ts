import { setTimeout as pause } from 'node:timers/promises';
import { type PlannedJob, planJob } from './plan.ts';

const TICK_MS = 20;
const AGAIN_MS = 100;
/** Callers that wait for a gateway which is away: no more come then. */
const MAX_UNDERWAY = 200;
const TIMEOUT_MS = 15_000;

/** Callers over HTTP: each posts a job until it is taken, under the same id, and reads it at once. */
export class Poster {
  readonly accepted: PlannedJob[] = [];
  /** Answers that a caller cannot repeat, or should not have got. */
  readonly wrongAnswers: string[] = [];
  /** Taken jobs that the gateway did not know straight afterwards. */
  readonly missed: string[] = [];
  /** Answers after which the same was asked again; 0: none. */
  readonly repeats: Record<number, number> = {};
  readonly #url: string;
  readonly #random: () => number;
  readonly #underway = new Set<Promise<void>>();

  constructor(gatewayUrl: string, random: () => number) {
    this.#url = gatewayUrl;
    this.#random = random;
  }

  /** Posts so many jobs a second for as long as `more` answers yes; resolves when all have been taken. */
  async postWhile(more: () => boolean, perSecond: number): Promise<void> {
    const startedMs = performance.now();
    for (let begun = 0; more(); await pause(TICK_MS)) {
      const due = ((performance.now() - startedMs) / 1_000) * perSecond;
      for (; begun < due; begun += 1) {
        if (this.#underway.size < MAX_UNDERWAY) this.#begin(planJob(this.#random));
      }
    }
    await Promise.all(this.#underway);
  }

  #begin(job: PlannedJob): void {
    const done = this.#post(job).finally(() => this.#underway.delete(done));
    this.#underway.add(done);
  }

  async #post(job: PlannedJob): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const status = await this.#stubbornly('/v1/jobs', {
      method: 'POST',
      headers,
      body: job.body,
    });
    if (status !== 202) {
      this.wrongAnswers.push(`POST ${status}`);
      return;
    }
    this.accepted.push(job);
    const seen = await this.#stubbornly(`/v1/jobs/${job.id}`, {});
    if (seen === 404) this.missed.push(job.id);
    else if (seen !== 200) this.wrongAnswers.push(`GET ${seen}`);
  }

  /** The first answer that is not to be repeated. */
  async #stubbornly(path: string, request: RequestInit): Promise<number> {
    for (;;) {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const answer = await fetch(`${this.#url}${path}`, { ...request, signal }).catch(
        () => undefined,
      );
      await answer?.arrayBuffer().catch(() => undefined);
      const status = answer?.status ?? 0;
      if (status !== 0 && status !== 503) return status;
      this.repeats[status] = (this.repeats[status] ?? 0) + 1;
      await pause(AGAIN_MS);
    }
  }
}
