import {
  type Breaker,
  type Breakers,
  type Circuit,
  openError,
  type Permit,
  verdictOn,
} from '@warren/breaker';
import type { Outcome } from '@warren/retry';

/** The leave of the circuit around a handler. */
export interface Leave {
  readonly breaker: Breaker;
  readonly key: string | undefined;
  readonly circuit: Circuit;
  readonly permit: Permit;
}

/** One run's way through the circuits: the one around its handler, if there is one, and those of its calls. */
export class Passage {
  readonly #breakers: Breakers;
  readonly #leave: Leave | undefined;
  readonly #onEnd: (outcome: Outcome | undefined) => void;
  #isOver = false;

  constructor(options: {
    breakers: Breakers;
    leave: Leave | undefined;
    /** Undefined where nothing ran. */
    onEnd: (outcome: Outcome | undefined) => void;
  }) {
    this.#breakers = options.breakers;
    this.#leave = options.leave;
    this.#onEnd = options.onEnd;
  }

  /** Makes a call of the handler through a breaker. One that is around the handler already is not asked twice. */
  async fire<Result>(
    name: string,
    key: string | undefined,
    call: (signal: AbortSignal) => Result | Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    const breaker = this.#breakers.get(name);
    const isAround = this.#leave?.breaker === breaker && this.#leave.key === key;
    return isAround ? call(signal) : breaker.fire(call, { key, signal });
  }

  /**
   * Says what became of the run. A failure that counts and leaves the circuit open is the dependency's, not the job's: what
   * is returned then is that the circuit is open, so that no attempt is spent.
   */
  end(outcome: Outcome): Outcome | Promise<Outcome> {
    this.#isOver = true;
    if (this.#leave) return this.#endLeave(outcome, this.#leave);
    this.#onEnd(outcome);
    return outcome;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Nothing was run after all, or it is over. */
  async leave(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#leave?.permit.end('neutral');
    this.#onEnd(undefined);
  }

  async #endLeave(outcome: Outcome, leave: Leave): Promise<Outcome> {
    const final = await this.#judge(outcome, leave);
    this.#onEnd(final);
    return final;
  }

  async #judge(outcome: Outcome, leave: Leave): Promise<Outcome> {
    const { breaker, permit, circuit, key } = leave;
    const { policy } = breaker;
    if (outcome.kind === 'succeeded') {
      await permit.end('success');
      return outcome;
    }
    const isError = outcome.kind === 'failed' || outcome.kind === 'timed-out';
    const verdict = isError ? verdictOn(outcome.error, policy.isFailure) : 'neutral';
    await permit.end(verdict);
    if (!isError || verdict !== 'failure' || circuit.state !== 'open') return outcome;
    const error = openError({ breaker: breaker.name, key, circuit, policy }, outcome.error);
    return { kind: 'failed', error };
  }
}
