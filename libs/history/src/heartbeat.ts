import { type CircuitNews, circuitsIn } from './circuit-report.ts';
import { type LimitNews, limitsIn } from './limit-news.ts';

/** A worker is alive and runs these. Who falls silent has left its runs without an outcome. */
export interface Heartbeat {
  readonly worker: string;
  /** ms since 1970, by the worker's clock. */
  readonly atMs: number;
  /** Ids of runs, as in events. */
  readonly runs: readonly string[];
  /** Its breakers, and those of their circuits with a key that are not closed. Absent from versions that do not tell. */
  readonly circuits?: readonly CircuitNews[] | undefined;
  /** How often its handlers may start. Absent from versions that do not tell. */
  readonly limits?: readonly LimitNews[] | undefined;
}

/** The heartbeat in what was parsed; undefined where there is none. */
export function heartbeatIn(value: unknown): Heartbeat | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { worker, atMs, runs, circuits, limits } = value as Readonly<Record<string, unknown>>;
  if (typeof worker !== 'string' || !Number.isSafeInteger(atMs)) return undefined;
  if (!Array.isArray(runs) || !runs.every((run) => typeof run === 'string')) return undefined;
  const read = circuitsIn(circuits);
  const told = limitsIn(limits);
  return {
    worker,
    atMs: atMs as number,
    runs: runs as string[],
    ...(read && { circuits: read }),
    ...(told && { limits: told }),
  };
}
