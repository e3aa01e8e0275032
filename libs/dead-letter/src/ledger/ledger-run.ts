import type { Delivery } from '@warren/broker';
import type { TakeReport } from '../replay-report.ts';
import type { Stop } from '../take-tally.ts';
import {
  type FreezeOptions,
  FrozenSelection,
  freeze,
  restore,
  type Wanted,
} from './frozen-selection.ts';
import { KeyRecorder } from './key-recorder.ts';
import { letterKey } from './letter-key.ts';
import type { RunStore } from './run-store.ts';

/** The run that is to be remembered. */
export interface LedgerOptions {
  readonly store: RunStore;
  readonly id: string;
  /**
   * Tells the store that it begins, or is resumed; nobody else takes from the queue then. False where it cannot be
   * remembered and is to be done all the same.
   */
  begin(): Promise<boolean>;
  /** What it takes was fixed when it was begun: exactly that is gone on with. */
  readonly isFixed?: boolean | undefined;
  readonly isCanaryPassed?: boolean | undefined;
}

const BEAT_MS = 2_000;

/** One start of a run that is remembered. */
export class LedgerRun {
  readonly isCanaryPassed: boolean;
  /** Letters to be met at most: those of a new run are the oldest that fit, those of an old one may be anywhere. */
  readonly limit: number;
  readonly #frozen: FrozenSelection;
  readonly #options: LedgerOptions;
  readonly #recorder: KeyRecorder;
  #told = Promise.resolve();

  private constructor(options: LedgerOptions, frozen: FrozenSelection) {
    this.#options = options;
    this.#frozen = frozen;
    this.isCanaryPassed = options.isCanaryPassed ?? false;
    this.limit = options.isFixed ? Number.POSITIVE_INFINITY : frozen.left;
    this.#recorder = new KeyRecorder((keys) => options.store.addDone(options.id, keys));
  }

  /** @throws what the store rejects with, or an error when the connection is lost */
  static async open(options: LedgerOptions, what: FreezeOptions): Promise<LedgerRun> {
    const { store, id, isFixed } = options;
    const frozen = isFixed ? await restore(store, id) : await freeze(store, id, what);
    return new LedgerRun(options, frozen ?? new FrozenSelection());
  }

  wants(delivery: Delivery): Wanted {
    return this.#frozen.wants(delivery);
  }

  /**
   * How many letters to look at, of so many that the queue says it has. The broker may not have told yet of what came back:
   * from the look that chose them, or from the process that was killed.
   */
  toLookAt(depth: number): number {
    return this.#options.isFixed ? depth + this.left : Math.max(depth, this.#frozen.looked);
  }

  /** Chosen and not done yet. */
  get left(): number {
    return this.#frozen.left;
  }

  /** One is done: to be told before it is taken out of the queue. @throws LedgerLostError */
  async done({ message }: Delivery): Promise<void> {
    const key = letterKey(message);
    await this.#recorder.add(key);
    this.#frozen.done(key);
  }

  /** The next one waits for this. Nobody's business but a reader's: where it cannot be told, the run goes on. */
  waits(waitingFor: string | undefined): void {
    const { store, id } = this.#options;
    const tell = () => store.tellWaiting(id, waitingFor).catch(() => {});
    this.#told = this.#told.then(tell);
  }

  passCanary(): Promise<void> {
    return this.#options.store.passCanary(this.#options.id);
  }
}

/** What is asked for, and how to end it early. */
export interface WithLedgerOptions extends Omit<FreezeOptions, 'limit'> {
  readonly limit?: number | undefined;
  readonly ledger?: LedgerOptions | undefined;
}

/**
 * Does something with what is meant, and has it remembered where there is a ledger: that it goes on, and how it ended. Ends
 * early when somebody asks for it there.
 * @throws what `action` or the store rejects with
 */
export async function withLedger<Report extends TakeReport>(
  { ledger, limit = Number.POSITIVE_INFINITY, ...what }: WithLedgerOptions,
  action: (run: LedgerRun | undefined, signal: AbortSignal | undefined) => Promise<Report>,
): Promise<Report> {
  if (!ledger || !(await ledger.begin())) return action(undefined, what.signal);
  const { store, id } = ledger;
  const asked = new AbortController();
  const signal = AbortSignal.any([asked.signal, ...(what.signal ? [what.signal] : [])]);
  const beat = setInterval(() => {
    // While the store is away nothing can be done anyway: the next letter finds that out.
    store.beat(id).then(
      (isAsked) => isAsked && asked.abort(),
      () => {},
    );
  }, BEAT_MS);
  try {
    const run = await LedgerRun.open(ledger, { ...what, limit, signal });
    const report = exact(await action(run, signal), run);
    return await told(store, id, report);
  } catch (error) {
    const problem = (error as Error).message || 'it failed';
    await store.end(id, { problem, report: undefined }).catch(() => {});
    throw error;
  } finally {
    clearInterval(beat);
  }
}

/** Where it came to its end, whoever was not met is gone. */
function exact<Report extends TakeReport>(report: Report, { left }: LedgerRun): Report {
  if (report.stopped) return report;
  return { ...report, missing: Math.max(0, left - report.left - report.unknown) };
}

async function told<Report extends TakeReport>(
  store: RunStore,
  id: string,
  report: Report,
): Promise<Report> {
  try {
    await store.end(id, { problem: problemIn(report), report });
    return report;
  } catch (error) {
    const { message } = error as Error;
    const stopped: Stop = { reason: 'ledger_lost', message: `its end is not told: ${message}` };
    return { ...report, stopped: report.stopped ?? stopped };
  }
}

/** Undefined where nothing is left to be resumed. */
function problemIn({ stopped, left, unknown }: TakeReport): string | undefined {
  if (stopped) return stopped.message;
  if (left > 0) return `${left} could not be taken`;
  return unknown > 0 ? `${unknown} were perhaps taken` : undefined;
}
