import { isTerminal, stateAfter } from '@warren/history';
import type { JobRecord } from '@warren/store';
import type { HistoryHub } from './history-hub.ts';

/** What a wait needs. */
export interface WaitOptions {
  readonly read: () => Promise<JobRecord>;
  /** Absent where no history is read: the store is looked at again and again. */
  readonly hub?: Pick<HistoryHub, 'follow'> | undefined;
  readonly waitMs: number;
  /** Called once, where the job has not ended yet. */
  readonly onWaiting: () => void;
  /** Ends the wait early, without an error. */
  readonly signal: AbortSignal;
}

/** Without news, the store is looked at so often. */
const LOOK_MS = 1_000;
/** After news, the store has them within moments. */
const SOON_MS = 20;

/** The job once it has ended, or as it is when the wait is over. */
export async function waitForEnd({
  read,
  hub,
  waitMs,
  onWaiting,
  signal,
}: WaitOptions): Promise<JobRecord> {
  const endsAt = performance.now() + waitMs;
  const bell = new Bell();
  let job = await read();
  const stop = hub?.follow({
    fits: (event) => event.id === job.id && event.queue === job.queue,
    onEvents: (events) => {
      if (events.some((event) => isTerminal(stateAfter(event) ?? 'queued'))) bell.ring();
    },
  });
  const ring = () => bell.ring();
  signal.addEventListener('abort', ring);
  try {
    let pauseMs = LOOK_MS;
    if (!isTerminal(job.state)) onWaiting();
    while (!isTerminal(job.state) && !signal.aborted) {
      const restMs = endsAt - performance.now();
      if (restMs <= 0) break;
      const hasNews = await bell.rung(Math.min(pauseMs, restMs));
      // Whoever writes into the store may hear of it a little later than this process.
      if (hasNews) pauseMs = SOON_MS;
      else pauseMs = Math.min(pauseMs * 2, LOOK_MS);
      job = await read();
    }
    return job;
  } finally {
    signal.removeEventListener('abort', ring);
    stop?.();
  }
}

/** Something to wait for, bounded. */
class Bell {
  #hasRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#hasRung = true;
    this.#wake?.();
  }

  /** True when it rang since the last wait, or does so meanwhile. */
  async rung(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    if (!this.#hasRung) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, ms);
      });
    }
    clearTimeout(timer);
    this.#wake = undefined;
    const hasRung = this.#hasRung;
    this.#hasRung = false;
    return hasRung;
  }
}
