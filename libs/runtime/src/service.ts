/** Whether a service can do its work now, and what each thing that it needs says. */
export interface Readiness {
  readonly ready: boolean;
  /** `ok`, or what is wrong, by the name of what was checked. */
  readonly checks: Readonly<Record<string, string>>;
}

/** A circuit breaker of a service, with the states of its circuits. */
export interface BreakerStates {
  readonly name: string;
  readonly circuits: readonly {
    /** Undefined for the dependency as a whole. */
    readonly key: string | undefined;
    readonly state: 'closed' | 'open' | 'half_open';
    readonly override: 'open' | 'closed' | undefined;
    /** ms until it is tried again; 0 unless it is open. */
    readonly waitMs: number;
  }[];
}

/** What every service is to the process that runs it. */
export interface Service {
  /** Resolves once the service is at work. Rejects when it cannot ever be. */
  start(): Promise<void>;
  /** Stops taking work, finishes what is in hand, within the service's own grace time. Safe at any moment, twice too. */
  stop(): Promise<void>;
  /** Cheap: asked by every probe. */
  ready(): Readiness;
  /** False when only a restart of the process can help. Absent: never. */
  healthy?(): boolean;
  /** Absent: it has none. */
  breakers?(): readonly BreakerStates[];
}
