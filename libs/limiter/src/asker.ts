import type { LimitRule } from '@warren/contracts';
import type { LimitAnswer, LimitRequest, LimitsPort } from './limits-port.ts';

/** What became of asking for one start. */
export interface Leave extends Omit<LimitAnswer, 'granted' | 'putOffInMs'> {
  readonly granted: boolean;
}

interface Waiting<Result> {
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface Pending {
  readonly name: string;
  readonly key: string;
  rule: LimitRule;
  readonly wanted: Waiting<Leave>[];
  readonly putOff: Waiting<number>[];
}

/**
 * Nothing is put off for longer: who comes back then is put off again. It bounds for how long a rate that was raised is not
 * felt, since nothing is fetched back from a tier. The length of a tier, so that the way there and back is one move.
 */
export const MAX_PUT_OFF_MS = 300_000;
const MAX_KEYS = 500;
const TIMEOUT_MS = 5_000;

/**
 * Asks for many at once: what comes while an answer is waited for goes with the next question, all of one key as one number.
 * An answer that does not come within five seconds is none.
 */
export class Asker {
  readonly #port: LimitsPort;
  #pending = new Map<string, Pending>();
  #isAsking = false;

  constructor(port: LimitsPort) {
    this.#port = port;
  }

  /** Asks for one start. Rejects where there is no answer: then nothing may start. */
  take(name: string, key: string, rule: LimitRule): Promise<Leave> {
    return new Promise((resolve, reject) => {
      this.#at(name, key, rule).wanted.push({ resolve, reject });
    });
  }

  /** For how long to put a job off, ms. Rejects where there is no answer. */
  putOff(name: string, key: string, rule: LimitRule): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#at(name, key, rule).putOff.push({ resolve, reject });
    });
  }

  #at(name: string, key: string, rule: LimitRule): Pending {
    const id = JSON.stringify([name, key]);
    let pending = this.#pending.get(id);
    if (!pending) {
      pending = { name, key, rule, wanted: [], putOff: [] };
      this.#pending.set(id, pending);
      this.#wake();
    }
    pending.rule = rule;
    return pending;
  }

  #wake(): void {
    if (this.#isAsking) return;
    this.#isAsking = true;
    // All that is asked for in this turn of the event loop goes together.
    setImmediate(() => void this.#run());
  }

  async #run(): Promise<void> {
    while (this.#pending.size > 0) await this.#ask(this.#next());
    this.#isAsking = false;
  }

  #next(): readonly Pending[] {
    const all = [...this.#pending];
    this.#pending = new Map(all.slice(MAX_KEYS));
    return all.slice(0, MAX_KEYS).map(([, pending]) => pending);
  }

  async #ask(batch: readonly Pending[]): Promise<void> {
    try {
      const answers = await intime(this.#port.ask(batch.map(requestOf)));
      for (const [at, pending] of batch.entries()) {
        const answer = answers[at];
        if (!answer) throw new Error('there is no answer for a key');
        this.#tell(pending, answer);
      }
    } catch (error) {
      for (const { wanted, putOff } of batch) {
        for (const one of [...wanted, ...putOff]) one.reject(error);
      }
    }
  }

  #tell({ rule, wanted, putOff }: Pending, answer: LimitAnswer): void {
    const { granted, left, freeInMs, putOffInMs } = answer;
    for (const [at, one] of wanted.entries()) {
      one.resolve({ granted: at < granted, left, freeInMs });
    }
    for (const [at, one] of putOff.entries()) {
      one.resolve(Math.min(MAX_PUT_OFF_MS, putOffInMs + at * rule.intervalMs));
    }
  }
}

function requestOf({ name, key, rule, wanted, putOff }: Pending): LimitRequest {
  const { intervalMs, burst } = rule;
  const counts = { wanted: wanted.length, putOff: putOff.length, maxPutOffMs: MAX_PUT_OFF_MS };
  return { name, key, intervalMs, burst, ...counts };
}

async function intime<Result>(asked: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = new Error(`no answer within ${TIMEOUT_MS} ms`);
    timer = setTimeout(() => reject(error), TIMEOUT_MS);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
