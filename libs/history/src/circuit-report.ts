/** Where a circuit can stand. */
export const CIRCUIT_STATES = ['closed', 'half_open', 'open'] as const;

/** Where one circuit of a breaker stands in one worker. */
export interface CircuitNews {
  readonly breaker: string;
  /** Undefined for the dependency as a whole. */
  readonly key?: string | undefined;
  /** Job types and subscribers whose handlers wait while it is open. Absent with a key, and from versions that do not tell. */
  readonly queues?: readonly string[] | undefined;
  readonly state: (typeof CIRCUIT_STATES)[number];
  /** What an operator has set it to. */
  readonly override?: 'open' | 'closed' | undefined;
  /** ms since 1970, by the worker's clock. */
  readonly sinceMs: number;
  /** When one is tried again, by the worker's clock. Only while it is open by itself, and from versions that tell. */
  readonly trialAtMs?: number | undefined;
}

/** What has just changed of a worker's circuits. Its heartbeats repeat it, so that none is missed for long. */
export interface CircuitReport {
  readonly worker: string;
  /** ms since 1970, by the worker's clock. */
  readonly atMs: number;
  readonly circuits: readonly CircuitNews[];
}

/** So many circuits travel in one message. */
export const MAX_CIRCUITS = 100;
/** So many job types and subscribers are told of one circuit. */
export const MAX_CIRCUIT_QUEUES = 100;

const MAX_NAME_LENGTH = 255;
/** The last date that JavaScript knows. */
const MAX_TIME_MS = 8_640_000_000_000_000;

/** The report in what was parsed; undefined where there is none. */
export function circuitReportIn(value: unknown): CircuitReport | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { worker, atMs, circuits } = value as Readonly<Record<string, unknown>>;
  if (typeof worker !== 'string' || !Number.isSafeInteger(atMs)) return undefined;
  const read = circuitsIn(circuits);
  return read && { worker, atMs: atMs as number, circuits: read };
}

/** The circuits in what was parsed, without those that make no sense; undefined for what is no list. */
export function circuitsIn(value: unknown): readonly CircuitNews[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.slice(0, MAX_CIRCUITS).flatMap((one) => circuitIn(one) ?? []);
}

function circuitIn(value: unknown): CircuitNews | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { breaker, key, queues, state, override, sinceMs, trialAtMs } = value as Readonly<
    Record<string, unknown>
  >;
  const known = CIRCUIT_STATES.find((one) => one === state);
  if (!isName(breaker) || !known || !isTime(sinceMs)) return undefined;
  if (key !== undefined && typeof key !== 'string') return undefined;
  return {
    breaker,
    ...(key !== undefined && { key: key.slice(0, MAX_NAME_LENGTH) }),
    ...(Array.isArray(queues) && { queues: queues.slice(0, MAX_CIRCUIT_QUEUES).filter(isName) }),
    state: known,
    ...((override === 'open' || override === 'closed') && { override }),
    sinceMs,
    ...(isTime(trialAtMs) && { trialAtMs }),
  };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME_LENGTH;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_TIME_MS;
}
