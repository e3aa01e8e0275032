/**
 * Which requests are one job, and for how long. A key counts for one job type and one kind: a throttled job is no
 * hindrance to a debounced one.
 */
export type Uniqueness =
  /** While the job has not ended, as far as is known; at most so long. */
  | { readonly kind: 'active'; readonly key: string; readonly maxAgeMs: number }
  /** For so long after it was accepted, whatever becomes of it. */
  | { readonly kind: 'throttle'; readonly key: string; readonly periodMs: number }
  /** Until it goes to the broker: so long after the last request, at most so long after the first. */
  | {
      readonly kind: 'debounce';
      readonly key: string;
      readonly waitMs: number;
      readonly maxWaitMs: number;
    };

/** What the store knows of the job that had a key before, at the moment of a decision. */
export interface KnownKey {
  readonly jobId: string;
  /** The time that the key had is over. */
  readonly isOver: boolean;
  /** Succeeded, dead, cancelled, expired or discarded, as far as history told. */
  readonly hasEnded: boolean;
  /** Its message still waits on purpose: no relay has ever taken it. */
  readonly isWaiting: boolean;
}

/** What is to be done with a request. */
export type Verdict = 'new' | 'duplicate' | 'replace';

/** Whether a request makes a job, by the job that had its key before. */
export function judge({ kind }: Uniqueness, known: KnownKey | undefined): Verdict {
  if (known === undefined) return 'new';
  switch (kind) {
    case 'active':
      return known.isOver || known.hasEnded ? 'new' : 'duplicate';
    case 'throttle':
      return known.isOver ? 'new' : 'duplicate';
    case 'debounce':
      // Also after its time, where the broker is away: its last payload is what counts.
      return known.isWaiting ? 'replace' : 'new';
  }
}

/** How long a key is taken, at most, from when its job was accepted. */
export function holdMs(uniqueness: Uniqueness): number {
  switch (uniqueness.kind) {
    case 'active':
      return uniqueness.maxAgeMs;
    case 'throttle':
      return uniqueness.periodMs;
    case 'debounce':
      return uniqueness.maxWaitMs;
  }
}
