import fc from 'fast-check';
import type { EventDetails, HistoryEvent, HistoryKind } from './event.ts';

const text = fc.string({ unit: 'binary', maxLength: 20 });
const optionalText = fc.option(text, { nil: undefined });
const timeMs = fc.integer({ min: 0, max: 2_000_000_000_000 });
const error = fc.record(
  { name: text, message: text, stack: text },
  { requiredKeys: ['name', 'message'] },
);

const DETAILS: { [Kind in HistoryKind]: fc.Arbitrary<EventDetails[Kind]> } = {
  accepted: fc.record({ service: text, correlationId: optionalText }),
  queued: fc.record({
    service: text,
    correlationId: optionalText,
    dueAtMs: fc.option(fc.integer({ min: 0, max: 10 }), { nil: undefined }),
    createdAtMs: fc.option(timeMs, { nil: undefined }),
  }),
  started: fc.record({ worker: text }),
  progress: fc.record({
    fraction: fc.double({ min: 0, max: 1, noNaN: true }),
    message: optionalText,
  }),
  log: fc.record({
    seq: fc.nat(),
    level: fc.constantFrom('trace', 'debug', 'info', 'warn', 'error', 'fatal'),
    message: text,
    fields: optionalText,
  }),
  retrying: fc.record({
    dueAtMs: timeMs,
    isSpent: fc.boolean(),
    error: fc.option(error, { nil: undefined }),
  }),
  succeeded: fc.record({
    durationMs: fc.nat(),
    result: optionalText,
    resultProblem: optionalText,
  }),
  dead: fc.record({
    reason: fc.constantFrom('attempts_exhausted', 'poison'),
    error: fc.option(error, { nil: undefined }),
  }),
  cancelled: fc.record({ by: optionalText }),
  expired: fc.constant({}),
  interrupted: fc.record({ reason: text }),
  replayed: fc.record({ by: optionalText }),
  discarded: fc.record({ by: optionalText }),
};

/** Few values each, so that events of one job meet. */
const base = fc.record({
  id: fc.constantFrom('a', 'b'),
  type: fc.constant('probe.run'),
  queue: fc.constant('probe.run'),
  atMs: fc.integer({ min: 0, max: 5 }),
  generation: fc.integer({ min: 0, max: 2 }),
  attempt: fc.integer({ min: 0, max: 2 }),
  run: fc.constantFrom('', 'r1', 'r2'),
});

/** Any event of any kind. */
export const anyEvent: fc.Arbitrary<HistoryEvent> = fc.oneof(
  ...Object.entries(DETAILS).map(([kind, details]) =>
    fc
      .tuple(base, details as fc.Arbitrary<object>)
      .map(([own, rest]) => ({ ...own, ...rest, kind }) as HistoryEvent),
  ),
);

const SMALL: { [Kind in 'started' | 'log' | 'succeeded']: EventDetails[Kind] } = {
  started: { worker: 'w' },
  log: { seq: 1, level: 'info', message: 'm' },
  succeeded: { durationMs: 1 },
};

/** A small event of one kind. */
export function eventOf<Kind extends keyof typeof SMALL>(kind: Kind) {
  const own = { id: 'a', type: 'probe.run', queue: 'probe.run', atMs: 1 };
  return { ...own, generation: 0, attempt: 1, run: 'r', kind, ...SMALL[kind] } as Extract<
    HistoryEvent,
    { kind: Kind }
  >;
}
