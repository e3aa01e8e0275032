import { NonRetryableError } from '@warren/contracts';
import type { HistoryEvent } from '@warren/history';
import { describe, expect, it } from 'vitest';
import { aMessage } from './a-message.fixture.ts';
import type { EndedRun } from './ended-run.ts';
import { JobHistory } from './job-history.ts';

const confirmed = Promise.resolve();

function telling() {
  const told: HistoryEvent[] = [];
  const final: HistoryEvent[] = [];
  const sink = {
    record: (event: HistoryEvent) => void told.push(event),
    recordFinal: (event: HistoryEvent) => {
      final.push(event);
      return confirmed;
    },
  };
  const history = new JobHistory({
    sink,
    worker: 'w',
    queue: 'audit',
    typeOf: () => 'order.placed',
  });
  return { history, told, final };
}

const message = aMessage({ id: 'j', attempt: 2, generation: 1 });
const base = { id: 'j', type: 'order.placed', queue: 'audit', generation: 1, attempt: 2, run: 'r' };
const ended = (outcome: EndedRun['outcome'], redact?: EndedRun['redact']): EndedRun => ({
  run: 'r',
  durationMs: 7,
  outcome,
  redact,
});
const failed = (error: unknown) => ended({ kind: 'failed', error });

describe('JobHistory', () => {
  it('tells whose job, which run and when', () => {
    const { history, told } = telling();
    history.started(message, 'r', 5);
    expect(told).toEqual([{ kind: 'started', ...base, atMs: 5, worker: 'w' }]);
  });

  it.each<[string, (history: JobHistory) => Promise<void> | undefined, object]>([
    [
      'a success with what the handler returned',
      (h) => h.succeeded(message, ended({ kind: 'succeeded', result: { n: 1 } })),
      { kind: 'succeeded', ...base, durationMs: 7, result: '{"n":1}' },
    ],
    [
      'a dead letter with its error',
      (h) => h.dead(message, 'r', 'non_retryable', failed(new NonRetryableError('no'))),
      {
        kind: 'dead',
        ...base,
        reason: 'non_retryable',
        error: expect.objectContaining({ name: 'NonRetryableError', message: 'no' }),
      },
    ],
    [
      'a dead letter that never ran',
      (h) => h.dead(message, '', 'max_age'),
      { kind: 'dead', ...base, run: '', reason: 'max_age' },
    ],
    [
      'a cancellation',
      (h) => h.cancelled(message, 'r', 'ada'),
      { kind: 'cancelled', ...base, by: 'ada' },
    ],
    ['an expiry', (h) => h.expired(message), { kind: 'expired', ...base, run: '' }],
  ])('holds the ack for %s', (_, tell, event) => {
    const { history, told, final } = telling();
    expect(tell(history)).toBe(confirmed);
    expect([told, final]).toEqual([[], [{ ...event, atMs: expect.any(Number) }]]);
  });

  it('holds nothing for what is not final', () => {
    const { history, told, final } = telling();
    history.retrying(message, 'r', { dueAtMs: 9, isSpent: true }, failed('down'));
    history.retrying(message, 'r', { dueAtMs: 9, isSpent: false });
    history.interrupted(message, ended({ kind: 'cancelled', error: new Error('stopping') }));
    history.interrupted(message, ended({ kind: 'succeeded', result: 1 }));
    expect(final).toEqual([]);
    expect(told).toMatchObject([
      { kind: 'retrying', ...base, dueAtMs: 9, isSpent: true, error: { message: 'down' } },
      { kind: 'retrying', dueAtMs: 9, isSpent: false, error: undefined },
      { kind: 'interrupted', reason: 'stopping' },
      { kind: 'interrupted', reason: 'delivery lost' },
    ]);
  });

  it('hides personal data in errors', () => {
    const { history, told } = telling();
    const error = new Error('no mailbox ada@example.org');
    const redact = (text: string) => text.replaceAll('ada@example.org', '[redacted]');
    const wait = { dueAtMs: 9, isSpent: true };
    history.retrying(message, 'r', wait, ended({ kind: 'failed', error }, redact));
    expect(told[0]).toMatchObject({ error: { message: 'no mailbox [redacted]' } });
    expect(JSON.stringify(told)).not.toContain('ada@example.org');
  });
});
