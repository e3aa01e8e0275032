import type { Heartbeat } from '@warren/history';
import type { RunningJob } from '@warren/store';

interface Heard {
  readonly beatAtMs: number;
  readonly heardAtMs: number;
  readonly runs: ReadonlySet<string>;
}

/** When somebody listens to heartbeats, and since when without a pause. */
export interface Listening {
  readonly nowMs: number;
  readonly sinceMs: number;
}

/** A worker beats four times as often. */
export const SILENCE_MS = 20_000;

/**
 * Finds runs that nobody does any more: for a time no heartbeat has named them, be it that their worker is
 * silent or that it does something else. `nowMs` and the like are of the clock of whoever listens; workers' clocks are
 * only compared with themselves.
 */
export class RunWatch {
  readonly #silenceMs: number;
  readonly #workers = new Map<string, Heard>();
  /** When each run was last named, or first missed. */
  #aliveAtMs = new Map<string, number>();

  constructor(silenceMs: number) {
    this.#silenceMs = silenceMs;
  }

  hear({ worker, atMs, runs }: Heartbeat, nowMs: number): void {
    if ((this.#workers.get(worker)?.beatAtMs ?? 0) > atMs) return;
    this.#workers.set(worker, { beatAtMs: atMs, heardAtMs: nowMs, runs: new Set(runs) });
  }

  /** Those of the running jobs that nobody does. Each is named again only after another such silence. */
  abandoned(running: readonly RunningJob[], { nowMs, sinceMs }: Listening): RunningJob[] {
    const alive = new Map<string, number>();
    const lost: RunningJob[] = [];
    for (const job of running) {
      const before = this.#aliveAtMs.get(job.run) ?? nowMs;
      const atMs = Math.max(before, this.#namedAtMs(job), sinceMs);
      const isLost = nowMs - atMs >= this.#silenceMs;
      if (isLost) lost.push(job);
      alive.set(job.run, isLost ? nowMs : atMs);
    }
    this.#aliveAtMs = alive;
    this.#forgetSilent(nowMs);
    return lost;
  }

  /** A run that began after the last heartbeat could not be named in it. */
  #namedAtMs({ worker, run, startedAtMs = 0 }: RunningJob): number {
    const heard = this.#workers.get(worker ?? '');
    if (!heard) return 0;
    return heard.runs.has(run) || startedAtMs >= heard.beatAtMs ? heard.heardAtMs : 0;
  }

  #forgetSilent(nowMs: number): void {
    for (const [worker, { heardAtMs }] of this.#workers) {
      if (nowMs - heardAtMs > 2 * this.#silenceMs) this.#workers.delete(worker);
    }
  }
}
