import type { CircuitState } from '@warren/telemetry';
import type { BreakerPolicy } from './breaker-options.ts';
import { Circuit } from './circuit.ts';

/** What is told of the circuits of one breaker. */
export interface CircuitsObserver {
  added(): void;
  /** It was forgotten in this state. */
  removed(state: CircuitState): void;
  changed(change: {
    readonly key: string | undefined;
    readonly from: CircuitState;
    readonly to: CircuitState;
  }): void;
}

/** The circuits of one breaker: one for the dependency as a whole, and one for each key, up to a number. */
export class Circuits {
  readonly #policy: BreakerPolicy;
  readonly #observer: CircuitsObserver;
  /** In the order of their last use: the first was not used for longest. */
  readonly #byKey = new Map<string, Circuit>();
  #whole: Circuit | undefined;
  #override: 'open' | 'closed' | undefined;

  constructor(policy: BreakerPolicy, observer: CircuitsObserver) {
    this.#policy = policy;
    this.#observer = observer;
  }

  /** The circuit for a key, or for the whole; made if need be. */
  of(key?: string): Circuit {
    if (key === undefined) {
      this.#whole ??= this.#make(undefined);
      return this.#whole;
    }
    const known = this.#byKey.get(key);
    if (known) this.#byKey.delete(key);
    else if (this.#byKey.size >= this.#policy.maxKeys) this.#forgetOne();
    const circuit = known ?? this.#make(key);
    this.#byKey.set(key, circuit);
    return circuit;
  }

  /** All that there are, the whole first. */
  entries(): { readonly key: string | undefined; readonly circuit: Circuit }[] {
    const keyed = [...this.#byKey].map(([key, circuit]) => ({ key, circuit }));
    return this.#whole ? [{ key: undefined, circuit: this.#whole }, ...keyed] : keyed;
  }

  /** Holds all of them open or closed, those that come later too; undefined lets them go. */
  force(override: 'open' | 'closed' | undefined): void {
    this.#override = override;
    // It shows, also where nothing has gone through yet.
    if (override) this.#whole ??= this.#make(undefined);
    for (const { circuit } of this.entries()) circuit.force(override);
  }

  close(): void {
    for (const { circuit } of this.entries()) circuit.close();
  }

  #make(key: string | undefined): Circuit {
    const circuit = new Circuit({
      policy: this.#policy,
      onState: (to, from) => this.#observer.changed({ key, from, to }),
    });
    this.#observer.added();
    circuit.force(this.#override);
    return circuit;
  }

  /** Rather one that is closed: to forget an open one is to let calls through. */
  #forgetOne(): void {
    const [key, circuit] = this.#leastMissed() ?? [];
    if (key === undefined || !circuit) return;
    this.#byKey.delete(key);
    this.#observer.removed(circuit.state);
    circuit.close();
  }

  #leastMissed(): [string, Circuit] | undefined {
    for (const entry of this.#byKey) {
      if (entry[1].state === 'closed' && entry[1].inHand === 0) return entry;
    }
    return this.#byKey.entries().next().value;
  }
}
