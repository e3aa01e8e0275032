import {
  type CircuitState,
  initialiseBreakerMetrics,
  type Logger,
  type Metrics,
} from '@warren/telemetry';
import type { BreakerPolicy } from './breaker-options.ts';
import { callThrough } from './call-through.ts';
import type { Circuit } from './circuit.ts';
import { Circuits } from './circuits.ts';

/** What a breaker counts and tells with. */
export interface BreakerDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Called when a circuit has changed its state; it must not throw. */
  readonly onChange?:
    | ((change: { readonly breaker: string; readonly key?: string | undefined }) => void)
    | undefined;
}

/** One circuit, as people see it. */
export interface CircuitView {
  /** Undefined for the dependency as a whole. */
  readonly key: string | undefined;
  readonly state: CircuitState;
  /** What an operator has set it to. */
  readonly override: 'open' | 'closed' | undefined;
  /** Since when it is in this state, ms since 1970. */
  readonly sinceMs: number;
  /** ms until it is tried again; 0 unless it is open. */
  readonly waitMs: number;
}

/** Calls to one dependency: their circuits, metrics and log lines. */
export class Breaker {
  readonly name: string;
  readonly policy: BreakerPolicy;
  readonly #circuits: Circuits;
  readonly #metrics: Metrics;
  readonly #queues = new Set<string>();

  constructor(name: string, policy: BreakerPolicy, { logger, metrics, onChange }: BreakerDeps) {
    this.name = name;
    this.policy = policy;
    this.#metrics = metrics;
    initialiseBreakerMetrics(metrics, name);
    const count = (state: CircuitState, by: number) =>
      metrics.jobs_circuit_breaker_state.inc({ breaker: name, state }, by);
    this.#circuits = new Circuits(policy, {
      added: () => count('closed', 1),
      removed: (state) => count(state, -1),
      changed({ key, from, to }) {
        count(from, -1);
        count(to, 1);
        metrics.jobs_circuit_breaker_transitions_total.inc({ breaker: name, to });
        onChange?.({ breaker: name, key });
        const about = { breaker: name, key, from, to };
        if (to === 'open') logger.warn(about, 'circuit opened; jobs wait, unspent');
        else logger.info(about, to === 'closed' ? 'circuit closed' : 'circuit half-open');
      },
    });
  }

  /** The circuit of a key, or of the dependency as a whole. */
  circuit(key?: string): Circuit {
    return this.#circuits.of(key);
  }

  /** Makes one call; see `callThrough` for what it throws. */
  fire<Result>(
    call: (signal: AbortSignal) => Result | Promise<Result>,
    { key, signal }: { readonly key?: string | undefined; readonly signal: AbortSignal },
  ): Promise<Result> {
    const { name: breaker, policy } = this;
    const circuit = this.circuit(key);
    const onRefused = () => this.refused();
    return callThrough(call, { breaker, key, circuit, policy, signal, onRefused });
  }

  /** Job types and subscribers whose handlers need it, as far as is known. */
  get queues(): readonly string[] {
    return [...this.#queues];
  }

  /** A handler of this job type or subscriber needs it. */
  usedBy(queue: string): void {
    this.#queues.add(queue);
  }

  /** Counts a call or delivery that was not let through. */
  refused(): void {
    this.#metrics.jobs_circuit_breaker_rejected_total.inc({ breaker: this.name });
  }

  force(override: 'open' | 'closed' | undefined): void {
    this.#circuits.force(override);
  }

  view(): CircuitView[] {
    return this.#circuits.entries().map(({ key, circuit }) => {
      const { state, override, sinceMs, waitMs } = circuit;
      return { key, state, override, sinceMs, waitMs };
    });
  }

  /** Ends all timers; what it counted as states is taken back. */
  close(): void {
    for (const { state } of this.view()) {
      this.#metrics.jobs_circuit_breaker_state.dec({ breaker: this.name, state });
    }
    this.#circuits.close();
  }
}
