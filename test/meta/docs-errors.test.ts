import { readFileSync } from 'node:fs';
import * as contracts from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import { tableRows } from './markdown-table.ts';

const { ERROR_CODES, WarrenError } = contracts;
const rows = tableRows(
  readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8'),
  '# Errors',
);

/** One of each class. The names are held against the exports, so a new class must be added here. */
const examples: Record<string, InstanceType<typeof WarrenError>> = {
  BrokerBlockedError: new contracts.BrokerBlockedError('low on memory'),
  BrokerUnavailableError: new contracts.BrokerUnavailableError('refused'),
  CallTimeoutError: new contracts.CallTimeoutError('smtp', 1),
  CircuitOpenError: new contracts.CircuitOpenError({ breaker: 'smtp', delayMs: 1 }),
  ClaimLostError: new contracts.ClaimLostError('a.b', 'expired'),
  LeaseLostError: new contracts.LeaseLostError('a.b', 'expired'),
  ConfigInvalidError: new contracts.ConfigInvalidError('PORT', 'expected a number'),
  DeliveryLostError: new contracts.DeliveryLostError('a.b', 'closed'),
  HeaderInvalidError: new contracts.HeaderInvalidError('x-a', 'is reserved'),
  JobCancelledError: new contracts.JobCancelledError('a.b', 'ada'),
  JobFailedError: new contracts.JobFailedError('id', 'cancelled'),
  JobTimeoutError: new contracts.JobTimeoutError('a.b', 5),
  CursorInvalidError: new contracts.CursorInvalidError('cut'),
  LimitMissingError: new contracts.LimitMissingError('crm'),
  LockHeldError: new contracts.LockHeldError('jobs.replay.a.b.dead', 'host (pid 7)'),
  MessagesLeftError: new contracts.MessagesLeftError('a.b.dead', 2, 'id (too large)'),
  MessageUnreadableError: new contracts.MessageUnreadableError('empty'),
  NonRetryableError: new contracts.NonRetryableError('no'),
  OptionNeedsStoreError: new contracts.OptionNeedsStoreError('unique'),
  PayloadInvalidError: new contracts.PayloadInvalidError('a.b', []),
  PayloadTooLargeError: new contracts.PayloadTooLargeError('a.b', 2, 1),
  PublishBufferFullError: new contracts.PublishBufferFullError(2, 1),
  PublishRefusedError: new contracts.PublishRefusedError('jobs', 'a.b'),
  PublishTimeoutError: new contracts.PublishTimeoutError(5, 'none'),
  QueueFullError: new contracts.QueueFullError('a.b', 2, 1),
  QueueInUseError: new contracts.QueueInUseError('a.b', 2),
  QueueMissingError: new contracts.QueueMissingError('a.b.dead'),
  ResultMissingError: new contracts.ResultMissingError('id', 'too large'),
  RetryAfterError: new contracts.RetryAfterError(5),
  ShuttingDownError: new contracts.ShuttingDownError('publish'),
  SnoozeError: new contracts.SnoozeError(5),
  StoreTooNewError: new contracts.StoreTooNewError('warren', 2, 1),
  StoreUnavailableError: new contracts.StoreUnavailableError('refused'),
  TopologyMismatchError: new contracts.TopologyMismatchError('queue a.b'),
  UnknownJobTypeError: new contracts.UnknownJobTypeError('a.b', []),
  UnroutableError: new contracts.UnroutableError('jobs', 'a.b', 'NO_ROUTE'),
  WaitTimeoutError: new contracts.WaitTimeoutError('id', 5),
};

const exportedClasses = Object.entries(contracts)
  .filter(([, value]) => typeof value === 'function' && value.prototype instanceof WarrenError)
  .map(([name]) => name);

/** What the document must say of a code. */
function rowOf(code: string): string[] {
  const { status, title, advice } = ERROR_CODES[code as contracts.ErrorCode];
  const name = Object.keys(examples).find((key) => examples[key]?.code === code) ?? '–';
  return [code, name, String(status), title, advice];
}

describe('docs/errors.md', () => {
  it('has a row for each code, as the table in the code has it, and no other', () => {
    expect(rows).toEqual(Object.keys(ERROR_CODES).map(rowOf));
  });

  it('covers every exported error class', () => {
    expect(exportedClasses.length).toBeGreaterThan(0);
    expect(exportedClasses.sort()).toEqual(Object.keys(examples).sort());
    const classes = rows.map(([, name]) => name).filter((name) => name !== '–');
    expect(classes.sort()).toEqual(exportedClasses);
  });
});

describe('the table of error codes', () => {
  it('has statuses of HTTP errors and text that fits into a table', () => {
    for (const { status, title, advice } of Object.values(ERROR_CODES)) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(600);
      for (const text of [title, advice]) expect(text).toMatch(/^[A-Z][^|\n]+$/);
      expect(advice.endsWith('.')).toBe(true);
    }
  });

  it('is carried by each class under its own name', () => {
    for (const [name, error] of Object.entries(examples)) {
      expect(error.name).toBe(name);
      expect(ERROR_CODES).toHaveProperty(error.code);
    }
  });
});
