import type { QueueLine } from './queue-lines.ts';

/** Messages that come into a queue and that leave it, a second. */
export interface QueueRates {
  readonly inPerSecond: number;
  readonly outPerSecond: number;
}

/** How a queue moves. */
export interface QueueFlow {
  /** By the management API; undefined where it tells nothing. */
  readonly inPerSecond: number | undefined;
  readonly outPerSecond: number | undefined;
  /** What waits grows by so much a second; below 0 it shrinks. Between two looks; undefined after one. */
  readonly changePerSecond: number | undefined;
  /** Until nothing waits, if it goes on so; undefined where it does not shrink, or nothing waits. */
  readonly drainSeconds: number | undefined;
}

export type FlowingLine = QueueLine & QueueFlow;

/** The lines of a second look, and how they have moved since the first one. `rates` are by job type or subscriber. */
export function withFlow(
  lines: readonly QueueLine[],
  before: { readonly lines: readonly QueueLine[]; readonly elapsedMs: number } | undefined,
  rates: ReadonlyMap<string, QueueRates> | undefined,
): FlowingLine[] {
  const first = new Map(before?.lines.map(({ queue, ready }) => [queue, ready]));
  return lines.map((line) => {
    const was = first.get(line.queue);
    const change =
      before === undefined || was === undefined || before.elapsedMs <= 0
        ? undefined
        : ((line.ready - was) / before.elapsedMs) * 1_000;
    const rate = rates?.get(line.queue);
    return {
      ...line,
      inPerSecond: rate?.inPerSecond,
      outPerSecond: rate?.outPerSecond,
      changePerSecond: change,
      drainSeconds: change !== undefined && change < 0 ? line.ready / -change : undefined,
    };
  });
}

/** Of all queues of one job type: lanes and suspects are its own. */
export function sumRates(all: readonly (QueueRates | undefined)[]): QueueRates | undefined {
  const told = all.filter((one) => one !== undefined);
  if (told.length === 0) return undefined;
  return {
    inPerSecond: told.reduce((sum, one) => sum + one.inPerSecond, 0),
    outPerSecond: told.reduce((sum, one) => sum + one.outPerSecond, 0),
  };
}
