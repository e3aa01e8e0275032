import type { CircuitEverywhere } from '@warren/history';

/** What is to be said of a circuit that jobs wait behind. */
type Circuit = Pick<
  CircuitEverywhere,
  'breaker' | 'key' | 'queues' | 'state' | 'sinceMs' | 'trialAtMs'
> & {
  readonly override?: 'open' | 'closed' | undefined;
  readonly workers: readonly Pick<CircuitEverywhere['workers'][number], 'state' | 'override'>[];
};

/** A circuit that workers hold a queue back for. */
export interface CircuitBefore<Found extends Circuit = Circuit> {
  readonly circuit: Found;
  /** Whether no worker that tells of it takes jobs meanwhile. */
  readonly isForAll: boolean;
}

/**
 * The circuit that the workers of a queue (a job type or a subscriber) hold its jobs back for; undefined where there is none.
 * One with keys holds no queue back.
 */
export function circuitBefore<Found extends Circuit>(
  queue: string,
  circuits: readonly Found[],
): CircuitBefore<Found> | undefined {
  const before = circuits
    .filter(({ key, state }) => key === undefined && state !== 'closed')
    .filter(({ queues }) => queues.includes(queue))
    .map((circuit) => ({
      circuit,
      isForAll: circuit.workers.every(({ state }) => state !== 'closed'),
    }));
  return before.find(({ isForAll }) => isForAll) ?? before[0];
}

/** `circuit smtp is open: email.send waits for it (since …, next trial …)`. */
export function circuitBeforeText(queue: string, { breaker, ...circuit }: Circuit): string {
  const { state, sinceMs, trialAtMs, workers, override } = circuit;
  const isHeld = (override ?? workers.find((one) => one.override)?.override) === 'open';
  const how = isHeld ? 'held open by an operator' : state === 'half_open' ? 'half-open' : 'open';
  const trial =
    trialAtMs === undefined || isHeld ? '' : `, next trial ${new Date(trialAtMs).toISOString()}`;
  return `circuit ${breaker} is ${how}: ${queue} waits for it (since ${new Date(sinceMs).toISOString()}${trial})`;
}
