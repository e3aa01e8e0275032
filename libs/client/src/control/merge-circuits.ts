import type { ControlSnapshot } from '@warren/contracts';
import type { CircuitEverywhere } from '@warren/history';

/** One circuit as operators see it. */
export interface CircuitReading extends CircuitEverywhere {
  /** What an operator has set its breaker to. */
  readonly override?: 'open' | 'closed' | undefined;
}

/** What workers tell of their circuits, with what operators have set; those that no worker has told of are there too. */
export function mergeCircuits(
  told: readonly CircuitEverywhere[],
  { breakers = {}, atMs }: ControlSnapshot,
): readonly CircuitReading[] {
  const known = told.map((one) => {
    const override = Object.hasOwn(breakers, one.breaker) ? breakers[one.breaker] : undefined;
    return { ...one, ...(override && { override }) };
  });
  const unheard = Object.entries(breakers).filter(
    ([name]) => !told.some(({ breaker, key }) => breaker === name && key === undefined),
  );
  const all: readonly CircuitReading[] = [
    ...known,
    ...unheard.map(([breaker, override]) => ({
      breaker,
      queues: [],
      state: override,
      override,
      sinceMs: atMs,
      workers: [],
    })),
  ];
  return [...all].sort(
    (a, b) => compare(a.breaker, b.breaker) || compare(a.key ?? '', b.key ?? ''),
  );
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}
