import type { Breakers, Circuit } from '@warren/breaker';
import { openError } from '@warren/breaker';
import type { Delivery } from '@warren/broker';
import { CircuitOpenError, type Job } from '@warren/contracts';
import type { Outcome } from '@warren/retry';
import type { Logger } from '@warren/telemetry';
import type { Gate } from './gate.ts';
import type { Guard } from './guard.ts';
import type { Identified } from './identified.ts';
import { type Leave, Passage } from './passage.ts';
import type { Settler } from './settle.ts';

/** What the gate of one queue needs. */
export interface BreakerGateOptions {
  readonly breakers: Breakers;
  /** The breaker around the handler. */
  readonly guard: Guard | undefined;
  /** Of the queue. */
  readonly jobType: string;
  readonly settler: Pick<Settler, 'postpone' | 'release'>;
  readonly logger: Logger;
  /** The circuit of a dependency as a whole has opened: nothing should be fetched; or it lets something through again. */
  onOpen(isOpen: boolean): void;
  /** What is held has been held for as long as it may. */
  onHeldTooLong(): void;
}

/** As long as others may do better with what is held here: their circuits may be closed. */
const HOLD_MS = 30_000;

/**
 * Holds deliveries while the dependency of their queue is away, and lets one through to find out whether it is back.
 * Nothing of that is spent. One whose key alone is cut off comes back later instead: it must not hold up the others.
 *
 * It learns of circuits around calls when a handler ends because of one.
 */
export class BreakerGate implements Gate {
  readonly #options: BreakerGateOptions;
  /** Circuits of whole dependencies: while one is open, the queue waits. */
  readonly #followed = new Map<Circuit, () => void>();
  readonly #waiters = new Set<() => void>();
  #inHand = 0;
  /** Raised when what is held is to be given back. */
  #round = 0;
  #isStopping = false;
  #isOpen = false;
  #holdTimer: NodeJS.Timeout | undefined;

  constructor(options: BreakerGateOptions) {
    this.#options = options;
    const { guard } = options;
    if (guard && !guard.keyOf) this.#follow(guard.breaker.circuit());
  }

  /** Leave to run; undefined when the delivery was settled without a run. */
  enter(delivery: Delivery, message: Identified, job: Job): Passage | Promise<Passage | undefined> {
    if (!this.#options.guard && this.#followed.size === 0) return this.#pass(undefined);
    return this.#enterInTurn(delivery, message, job);
  }

  /** Deliveries that wait here for their leave. */
  get held(): number {
    return this.#waiters.size;
  }

  /** Gives back what is held. */
  releaseHeld(): void {
    this.#round += 1;
    this.#wake();
  }

  /** From now on nothing is held. */
  stop(): void {
    this.#isStopping = true;
    clearInterval(this.#holdTimer);
    for (const stopFollowing of this.#followed.values()) stopFollowing();
    this.releaseHeld();
  }

  async #enterInTurn(
    delivery: Delivery,
    message: Identified,
    job: Job,
  ): Promise<Passage | undefined> {
    const { guard, settler } = this.#options;
    const round = this.#round;
    const key = guard?.keyOf && this.#keyOf(guard.keyOf, job);
    for (let isFirst = true; ; isFirst = false) {
      if (this.#isStopping || round !== this.#round || delivery.isLost) {
        await settler.release(delivery, message);
        return undefined;
      }
      const leave = this.#ask(key);
      if (typeof leave !== 'string') return this.#pass(leave);
      if (leave === 'open' && isFirst) guard?.breaker.refused();
      if (leave === 'open' && guard && key !== undefined) {
        await settler.postpone(delivery, message, this.#waitFor(guard, key));
        return undefined;
      }
      await this.#wait(delivery, guard?.breaker.circuit(key));
    }
  }

  #ask(key: string | undefined): Leave | undefined | 'open' | 'full' {
    const { guard } = this.#options;
    const around = guard?.breaker.circuit(key);
    for (const circuit of this.#followed.keys()) {
      if (circuit === around || circuit.state === 'closed') continue;
      // Half-open, only one of this queue may find out.
      if (circuit.state === 'open' || this.#inHand > 0) return 'open';
    }
    if (!guard || !around) return undefined;
    const permit = around.enter();
    if (typeof permit === 'string') return permit;
    return { breaker: guard.breaker, key, circuit: around, permit };
  }

  #waitFor({ breaker }: Guard, key: string): { delayMs: number } {
    const { name, policy } = breaker;
    return openError({ breaker: name, key, circuit: breaker.circuit(key), policy });
  }

  #pass(leave: Leave | undefined): Passage {
    this.#inHand += 1;
    return new Passage({ breakers: this.#options.breakers, leave, onEnd: this.#onEnd });
  }

  /** One for all passages: `tsx` gives a function its name each time it is made, which takes as long as a passage. */
  readonly #onEnd = (outcome: Outcome | undefined): void => {
    this.#inHand -= 1;
    this.#learn(outcome);
    this.#wake();
  };

  #learn(outcome: Outcome | undefined): void {
    if (outcome?.kind !== 'failed' || !(outcome.error instanceof CircuitOpenError)) return;
    const { breaker, key } = outcome.error;
    if (key !== undefined || !this.#options.breakers.has(breaker)) return;
    const known = this.#options.breakers.get(breaker);
    known.usedBy(this.#options.jobType);
    this.#follow(known.circuit());
  }

  #follow(circuit: Circuit): void {
    if (this.#followed.has(circuit) || this.#isStopping) return;
    const stopFollowing = circuit.onChange(() => this.#onChange());
    this.#followed.set(circuit, stopFollowing);
    this.#onChange();
  }

  #onChange(): void {
    const states = [...this.#followed.keys()].map(({ state }) => state);
    const isOpen = states.includes('open');
    if (isOpen !== this.#isOpen) {
      this.#isOpen = isOpen;
      this.#options.onOpen(isOpen);
    }
    const isHolding = states.some((state) => state !== 'closed');
    if (isHolding) this.#holdTimer ??= this.#startHolding();
    else this.#stopHolding();
    this.#wake();
  }

  #startHolding(): NodeJS.Timeout {
    return setInterval(() => this.#options.onHeldTooLong(), HOLD_MS).unref();
  }

  #stopHolding(): void {
    clearInterval(this.#holdTimer);
    this.#holdTimer = undefined;
  }

  #wake(): void {
    for (const waiter of [...this.#waiters]) waiter();
  }

  async #wait(delivery: Delivery, circuit: Circuit | undefined): Promise<void> {
    await new Promise<void>((resolve) => {
      const endings: (() => void)[] = [];
      const done = () => {
        this.#waiters.delete(done);
        for (const end of endings) end();
        resolve();
      };
      this.#waiters.add(done);
      endings.push(delivery.onLost(done));
      // Also of a key, which is not followed.
      if (circuit && !this.#followed.has(circuit)) endings.push(circuit.onChange(done));
    });
  }

  #keyOf(keyOf: (job: Job) => string, job: Job): string {
    try {
      const key: unknown = keyOf(job);
      if (typeof key === 'string') return key;
      throw new TypeError('the key of a breaker must be a string');
    } catch (error) {
      // The handler is better placed to say what is wrong with such a job.
      this.#options.logger.error({ err: error, job_id: job.id, queue: job.queue }, 'no key');
      return '';
    }
  }
}
