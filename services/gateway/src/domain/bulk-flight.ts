import { type ErrorCode, WarrenError } from '@warren/contracts';
import type { AcceptedJob, JobRequest } from './accept-job.ts';
import type { AcceptBulk, BulkOutcome, BulkRun } from './bulk-run.ts';

/** Memory of one request for what is under way and not yet answered. */
const MAX_BYTES = 16 * 1024 * 1024;

const BROKER_AWAY: readonly ErrorCode[] = [
  'BROKER_UNAVAILABLE',
  'BROKER_BLOCKED',
  'OUTBOX_FULL',
  'SHUTTING_DOWN',
];

/** They say something about the item, and nothing about the broker. */
const ITEMS_OWN: readonly ErrorCode[] = [
  'PAYLOAD_INVALID',
  'PAYLOAD_TOO_LARGE',
  'HEADER_INVALID',
  'UNKNOWN_JOB_TYPE',
  'CONFIG_INVALID',
  'OPTION_NEEDS_STORE',
];

/**
 * The jobs of one bulk request that are under way. The first that the broker is asked about goes alone: when it turns out that
 * the broker is away, nothing was published and nothing is under way. Jobs are started and answered by plain calls: an
 * iterator's promises for each would cost as much as the rest of the way in.
 */
export class BulkFlight {
  readonly #accept: AcceptBulk;
  readonly #run: Pick<BulkRun, 'report' | 'canRefuse'>;
  readonly #onBroken: (error: unknown) => void;
  #open = 0;
  #bytes = 0;
  /** The broker has said something. */
  #isProven = false;
  #isBroken = false;
  /** Reports whose receiver is behind. */
  #holds = 0;
  #wake: (() => void) | undefined;

  /** @param onBroken told why, when the request is refused as a whole, or a report fails */
  constructor(
    accept: AcceptBulk,
    run: Pick<BulkRun, 'report' | 'canRefuse'>,
    onBroken: (error: unknown) => void,
  ) {
    this.#accept = accept;
    this.#run = run;
    this.#onBroken = onBroken;
  }

  /** Nothing further is to be started. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** May one more be started? One that exceeds the bound alone may, alone. */
  isClear(bytes: number): boolean {
    if (this.#isBroken) return true;
    if (this.#holds > 0) return false;
    if (this.#open === 0) return true;
    return this.#isProven && this.#open < this.#accept.window && this.#bytes + bytes <= MAX_BYTES;
  }

  /** Resolves when one more may be started, or none ever will. */
  async clear(bytes: number): Promise<void> {
    while (!this.isClear(bytes)) await this.#change();
  }

  start(index: number, request: JobRequest, bytes: number): void {
    this.#open += 1;
    this.#bytes += bytes;
    const { id } = request;
    const onRefusal = (error: unknown) => this.#land(bytes, { index, id, error: error as Error });
    try {
      this.#accept.accept(request).then((job) => this.#land(bytes, takenAs(index, job)), onRefusal);
    } catch (error) {
      onRefusal(error);
    }
  }

  /** Tells what became of one, also of one that was never started. Held up where the receiver is behind. */
  report(outcome: BulkOutcome): void {
    try {
      const caughtUp = this.#run.report(outcome);
      if (caughtUp) void this.#holdUp(caughtUp);
    } catch (error) {
      this.#break(error);
    }
  }

  /** Resolves when all that was started is answered and told. */
  async landed(): Promise<void> {
    while (this.#open > 0 || (this.#holds > 0 && !this.#isBroken)) await this.#change();
  }

  #land(bytes: number, outcome: BulkOutcome): void {
    this.#open -= 1;
    this.#bytes -= bytes;
    const { error } = outcome;
    if (error && !this.#isProven && this.#run.canRefuse() && hasCode(error, BROKER_AWAY)) {
      this.#break(error);
    } else {
      this.report(outcome);
      this.#isProven ||= !(error && hasCode(error, ITEMS_OWN));
    }
    this.#wake?.();
  }

  async #holdUp(caughtUp: Promise<void>): Promise<void> {
    this.#holds += 1;
    try {
      await caughtUp;
    } catch (error) {
      this.#break(error);
    }
    this.#holds -= 1;
    this.#wake?.();
  }

  #break(error: unknown): void {
    this.#isBroken = true;
    this.#onBroken(error);
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

function takenAs(index: number, { id, duplicate, replaced }: AcceptedJob): BulkOutcome {
  // The job may be that of an earlier request.
  return duplicate ? { index, id, duplicate, ...(replaced && { replaced }) } : { index, id };
}

function hasCode(error: Error, codes: readonly ErrorCode[]): boolean {
  return error instanceof WarrenError && codes.includes(error.code);
}
