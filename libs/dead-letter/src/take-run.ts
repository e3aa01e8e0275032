import type { BrokerSession, Consumer, Delivery } from '@warren/broker';
import { readMessage } from '@warren/broker';
import { WarrenError } from '@warren/contracts';
import type { HeldBy } from './circuit-hold.ts';
import type { Wanted } from './ledger/frozen-selection.ts';
import { LedgerLostError } from './ledger/key-recorder.ts';
import { isAboutLetter } from './letter-change.ts';
import type { Stop, StopReason, TakeTally } from './take-tally.ts';
import { whyLost } from './why-lost.ts';

/** What a run takes, and what it does with it. */
export interface TakeOptions {
  readonly session: BrokerSession;
  readonly queue: string;
  /** Dead letters to look at, from the oldest. */
  readonly scan: number;
  /** Of those that are meant, so many at most. */
  readonly limit: number;
  /** Taken and not settled at once, at most: as many duplicates a kill can make. */
  readonly window: number;
  /** Begun per second at most. */
  readonly ratePerSecond?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Is told twice a second how many were looked at, and what the next one waits for. */
  readonly onProgress?: ((seen: number, waitingFor: HeldBy | undefined) => void) | undefined;
  readonly wait?: TakeWait | undefined;
  /** Is it meant? */
  wants(delivery: Delivery): Wanted;
  /**
   * Deals with one and tells the tally. It settles the delivery, or leaves it: then it goes back at the end. What it
   * rejects with decides whether this one stays or all is over.
   */
  act(delivery: Delivery): Promise<void>;
}

/** What is to wait before it is begun. */
export interface TakeWait {
  /** What this one waits for; asked before each. */
  heldBy(delivery: Delivery): HeldBy | undefined;
  /** Calls it whenever that may have changed, until the answer is called. */
  onNews(listener: () => void): () => void;
}

const LOOK_EVERY_MS = 500;
/** Nothing came for so long: is there anything left? */
const QUIET_MS = 2_000;
const STALLED_MS = 30_000;
/** What a consumer may bring at once, and so what waits in memory. */
const MAX_STEP = 16_384;
const MAX_STEP_BYTES = 64 * 1_024 * 1_024;
/** The broker ends a channel that holds a message for longer than half an hour. */
const HOLD_MS = 600_000;

/**
 * One consumer's life over a queue of dead letters. What is passed over is held at the broker, nothing of it here, and goes
 * back in its order at the end.
 */
export class TakeRun {
  readonly #options: TakeOptions;
  readonly #tally: TakeTally;
  readonly #prefetch: number;
  readonly #consumer: Consumer;
  readonly #ended: Promise<void>;
  readonly #waiting: Delivery[] = [];
  readonly #startedAtMs = Date.now();
  #end: () => void = () => {};
  #seen = 0;
  #chosen = 0;
  /** Begun and not decided yet. */
  #open = 0;
  /** That may be out, of all consumers together. */
  #room: number;
  #bytes = 0;
  #widening: Promise<void> | undefined;
  #nextAtMs = 0;
  #pacer: NodeJS.Timeout | undefined;
  #heldBy: HeldBy | undefined;
  #progressAtMs = Date.now();
  #isHeldLong = false;
  #isCancelled = false;
  #stopped: Stop | undefined;

  constructor(options: TakeOptions, tally: TakeTally) {
    const { session, queue, scan, window } = options;
    this.#options = options;
    this.#tally = tally;
    this.#prefetch = Math.min(window, scan);
    this.#room = this.#prefetch;
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#consumer = session.consume({
      queue,
      prefetch: this.#prefetch,
      onDelivery: (delivery) => this.#look(delivery),
      onLost: (reason, isCancelled) => {
        this.#isCancelled = isCancelled;
        this.#stop('channel_lost', reason);
      },
      onProblem: (problem) => this.#stop('channel_lost', problem),
    });
  }

  /** Meant so far. */
  get chosen(): number {
    return this.#chosen;
  }

  /**
   * Runs it; never rejects. What was not taken is back in the queue when it resolves: with true when that was only because
   * the broker would not let it be held any longer, so that it is to be begun again.
   */
  async done(): Promise<{ readonly again: boolean; readonly stopped: Stop | undefined }> {
    const { session, signal, wait } = this.#options;
    const interrupt = () => this.#stop('interrupted', 'it was asked to end');
    const lose = () => {
      this.#stop('connection_lost', (session.lost.reason as Error).message);
      // Answers to what is under way can no longer come.
      this.#end();
    };
    signal?.addEventListener('abort', interrupt);
    session.lost.addEventListener('abort', lose);
    const timer = setInterval(() => void this.#lookAround(), LOOK_EVERY_MS);
    const stopHearing = wait?.onNews(() => this.#pump());
    this.#consumer.start();
    if (signal?.aborted) interrupt();
    if (session.lost.aborted) lose();
    await this.#ended;
    clearInterval(timer);
    clearTimeout(this.#pacer);
    stopHearing?.();
    signal?.removeEventListener('abort', interrupt);
    session.lost.removeEventListener('abort', lose);
    await this.#giveBack();
    if (isLost(this.#stopped)) {
      this.#stopped = await whyLost(this.#stopped, session, {
        queue: this.#options.queue,
        isCancelled: this.#isCancelled,
      });
    }
    return { again: this.#isHeldLong && !this.#stopped, stopped: this.#stopped };
  }

  async #giveBack(): Promise<void> {
    this.#tally.unknown += this.#open;
    await this.#widening;
    await this.#options.session.giveBack(this.#consumer);
  }

  /** What comes beyond the selection is left alone, and goes back when the consumer is closed. */
  #look(delivery: Delivery): void {
    if (this.#isOver) {
      delivery.leave();
      return;
    }
    this.#seen += 1;
    this.#bytes += delivery.body.length;
    this.#progressAtMs = Date.now();
    switch (this.#options.wants(delivery)) {
      case 'take':
        this.#chosen += 1;
        this.#waiting.push(delivery);
        this.#pump();
        return;
      case 'done':
        delivery.ack();
        this.#tally.doneBefore += 1;
        break;
      case 'pass':
        this.#tally.passed += 1;
        delivery.leave();
        this.#widenIfFull();
    }
    this.#checkEnd();
  }

  get #isOver(): boolean {
    return this.#stopped !== undefined || this.#isHeldLong || this.#isWhole;
  }

  get #isWhole(): boolean {
    return this.#seen >= this.#options.scan || this.#chosen >= this.#options.limit;
  }

  #pump(): void {
    while (this.#open < this.#options.window && !this.#stopped && !this.#isHeldLong) {
      if (this.#mustPause()) return;
      const delivery = this.#waiting.shift();
      if (!delivery) return;
      this.#open += 1;
      this.#act(delivery);
    }
  }

  #act(delivery: Delivery): void {
    this.#options
      .act(delivery)
      .catch((error: unknown) => this.#fail(delivery, error))
      .finally(() => {
        this.#open -= 1;
        this.#progressAtMs = Date.now();
        this.#pump();
        this.#widenIfFull();
        this.#checkEnd();
      });
  }

  #mustPause(): boolean {
    const { ratePerSecond } = this.#options;
    if (this.#mustWait()) return true;
    if (ratePerSecond === undefined || this.#waiting.length === 0) return false;
    const now = performance.now();
    if (now < this.#nextAtMs) {
      this.#pacer ??= setTimeout(() => {
        this.#pacer = undefined;
        this.#pump();
      }, this.#nextAtMs - now);
      return true;
    }
    this.#nextAtMs = Math.max(this.#nextAtMs, now - 1_000 / ratePerSecond) + 1_000 / ratePerSecond;
    return false;
  }

  /** The one that is next: those behind it are not tried before it. */
  #mustWait(): boolean {
    const [next] = this.#waiting;
    if (next) this.#heldBy = this.#options.wait?.heldBy(next);
    return next !== undefined && this.#heldBy !== undefined;
  }

  /**
   * What stays takes up the room of its consumer: when there is none left, a further one follows. Not sooner, and the earlier
   * one is not ended: both would mix up what they give back. Each is as large as all before it, since more than 32 of them
   * would not give back in order either.
   */
  #widenIfFull(): void {
    const { passed, left, cameBack } = this.#tally;
    const held = passed + left + cameBack;
    if (this.#widening || this.#isOver || held < this.#room) return;
    const bodyBytes = Math.max(1, this.#bytes / this.#seen);
    const most = Math.min(MAX_STEP, Math.trunc(MAX_STEP_BYTES / bodyBytes));
    const step = Math.max(this.#options.window, Math.min(held, most));
    this.#room += step;
    this.#widening = this.#consumer.widen(step).finally(() => {
      this.#widening = undefined;
      this.#widenIfFull();
    });
  }

  /** Is it this message that cannot be taken, or can none be? */
  #fail(delivery: Delivery, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof LedgerLostError) {
      this.#tally.unknown += 1;
      this.#stop('ledger_lost', message);
      return;
    }
    if (isAboutLetter(error)) {
      this.#tally.leave(readMessage(delivery).id, message);
      return;
    }
    switch (error instanceof WarrenError ? error.code : undefined) {
      case 'PUBLISH_TIMEOUT':
        this.#tally.unknown += 1;
        this.#stop('unknown_outcome', message);
        break;
      case 'BROKER_BLOCKED':
        this.#stop('blocked', message);
        break;
      default:
        this.#stop('channel_lost', message);
    }
  }

  #stop(reason: StopReason, message: string): void {
    this.#stopped ??= { reason, message };
    this.#checkEnd();
  }

  #checkEnd(): void {
    if (this.#open > 0) return;
    const isDone = this.#isWhole && this.#waiting.length === 0;
    const held = this.#tally.left + this.#tally.cameBack;
    if (!isDone && !this.#stopped && held >= this.#prefetch) {
      const message = `${held} dead letters could not be taken; those behind them were not tried`;
      this.#stopped = { reason: 'too_many_left', message };
    }
    if (isDone || this.#stopped || this.#isHeldLong) this.#end();
  }

  /** Somebody else may have taken some of those that were counted. */
  async #lookAround(): Promise<void> {
    this.#options.onProgress?.(this.#seen, this.#heldBy);
    const isHolding = this.#tally.passed + this.#tally.left + this.#waiting.length > 0;
    if (isHolding && Date.now() - this.#startedAtMs > HOLD_MS) {
      this.#isHeldLong = true;
      this.#checkEnd();
      return;
    }
    const quietMs = Date.now() - this.#progressAtMs;
    if (this.#open + this.#waiting.length > 0 || this.#isOver || quietMs < QUIET_MS) return;
    await this.#askBroker(quietMs);
  }

  async #askBroker(quietMs: number): Promise<void> {
    const { session, queue, scan } = this.#options;
    try {
      if ((await session.depth(queue)) === 0 && this.#open === 0) {
        this.#tally.missing = scan - this.#seen;
        this.#end();
      } else if (quietMs > STALLED_MS) {
        this.#stop('stalled', `the broker delivered nothing for ${STALLED_MS / 1_000} s`);
      }
    } catch (error) {
      this.#stop('channel_lost', (error as Error).message);
    }
  }
}

function isLost(stopped: Stop | undefined): stopped is Stop {
  return stopped?.reason === 'channel_lost' || stopped?.reason === 'connection_lost';
}
