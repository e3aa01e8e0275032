import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HistoryEvent, HistoryKind, JobState } from './event.ts';
import { anyEvent } from './history.fixture.ts';
import { compareOrder, isTerminal, orderKeyOf, stateAfter, stateOf } from './order.ts';

const at = (kind: HistoryKind, where: object = {}, details: object = {}) =>
  ({
    id: 'a',
    type: 't',
    queue: 't',
    atMs: 1,
    generation: 0,
    attempt: 1,
    run: '',
    kind,
    ...where,
    ...details,
  }) as unknown as HistoryEvent;

const queued = at('queued');
const run1 = { run: 'r1' };
const run2 = { attempt: 2, run: 'r2' };
const lives: readonly (readonly [string, readonly HistoryEvent[], JobState])[] = [
  ['accepted', [at('accepted')], 'accepted'],
  ['at the broker', [at('accepted'), queued], 'queued'],
  ['not due yet', [at('queued', {}, { dueAtMs: 2 })], 'scheduled'],
  ['due when it was sent', [at('queued', {}, { dueAtMs: 1 })], 'queued'],
  ['running, with lines', [queued, at('started', run1), at('log', { run: 'r9' })], 'running'],
  ['waiting to be tried again', [at('started', run1), at('retrying', run1)], 'retrying'],
  ['on its second attempt', [at('retrying', run1), at('started', run2)], 'running'],
  ['left by its worker', [at('started', run1), at('interrupted', run1)], 'interrupted'],
  ['delivered again', [at('interrupted', run1), at('started', { run: 'r2' })], 'running'],
  [
    'over, and run once more by a duplicate',
    [at('succeeded', run1), at('started', run2)],
    'succeeded',
  ],
  ['cancelled before it ran', [queued, at('cancelled')], 'cancelled'],
  ['cancelled while it ran', [at('started', run1), at('cancelled', run1)], 'cancelled'],
  ['expired', [queued, at('expired')], 'expired'],
  ['dead', [at('retrying', run1), at('dead', run2)], 'dead'],
  ['dead and discarded', [at('dead', run2), at('discarded')], 'discarded'],
  ['replayed', [at('dead', run2), at('replayed', { generation: 1 })], 'queued'],
  ['replayed although discarded', [at('discarded'), at('started', { generation: 1 })], 'running'],
];

describe('stateOf', () => {
  it.each(lives)('%s', (_, events, state) => {
    expect(stateOf(events)).toBe(state);
    expect(stateOf([...events].reverse())).toBe(state);
  });

  it('knows nothing of a job whose progress is all that is told', () => {
    expect(stateOf([at('progress'), at('log')])).toBeUndefined();
  });

  it('is the same for every order and any repetition', () => {
    const shuffled = fc.array(anyEvent, { minLength: 1, maxLength: 12 }).chain((events) => {
      const order = fc.shuffledSubarray([...events, ...events], { minLength: events.length });
      return fc.tuple(fc.constant(events), order);
    });
    fc.assert(
      fc.property(shuffled, ([events, order]) => {
        expect(stateOf([...order, ...events])).toBe(stateOf(events));
        expect(stateOf([...events, ...order])).toBe(stateOf(events));
      }),
    );
  });
});

describe('compareOrder', () => {
  it('is an order in which equal keys mean the same state', () => {
    fc.assert(
      fc.property(anyEvent, anyEvent, anyEvent, (...events) => {
        const [a, b, c] = events.map(orderKeyOf);
        if (!a || !b || !c) return;
        expect(Math.sign(compareOrder(a, b))).toBe(-Math.sign(compareOrder(b, a)) + 0);
        if (compareOrder(a, b) >= 0 && compareOrder(b, c) >= 0) {
          expect(compareOrder(a, c)).toBeGreaterThanOrEqual(0);
        }
        if (compareOrder(a, b) === 0) expect(stateAfter(events[0])).toBe(stateAfter(events[1]));
      }),
    );
  });

  it('lets no event of a generation reopen what ended in it', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { minLength: 1 }), (events) => {
        const last = Math.max(...events.map(({ generation }) => generation));
        const ends = events.filter((event) => {
          const state = stateAfter(event);
          return event.generation === last && state !== undefined && isTerminal(state);
        });
        if (ends.length > 0) expect(isTerminal(stateOf(events) as JobState)).toBe(true);
      }),
    );
  });
});
