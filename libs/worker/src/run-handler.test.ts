import {
  ClaimLostError,
  DeliveryLostError,
  type Job,
  JobCancelledError,
  JobTimeoutError,
  ShuttingDownError,
} from '@warren/contracts';
import { createLogger } from '@warren/telemetry';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { anyPayload } from './any-payload.fixture.ts';
import { handle, type JobHandler } from './handle.ts';
import { RunContext } from './run-context.ts';
import { type Run, runHandler } from './run-handler.ts';

const TIMEOUT_MS = 60_000;
const GRACE_MS = 5_000;
const definition = anyPayload('60s', '5s');

const job: Job = {
  id: 'job-1',
  type: definition.type,
  payload: { a: 1 },
  attempt: 1,
  generation: 0,
  queue: definition.type,
  publishedAtMs: undefined,
  correlationId: undefined,
  headers: {},
};
const logger = createLogger({ service: 'test', level: 'fatal', destination: { write: () => {} } });

type Handler = JobHandler<typeof definition>;

/** Starts a handler; `seen.run` is there once it has an outcome. */
function run(handler: Handler) {
  const context = new RunContext(job, logger);
  const seen: { run?: Run } = {};
  void runHandler(handle(definition, handler), job, context).then((outcome) => {
    seen.run = outcome;
  });
  return { context, seen };
}

async function outcomeOf(handler: Handler): Promise<Run> {
  const { seen } = run(handler);
  await vi.advanceTimersByTimeAsync(0);
  if (!seen.run) throw new Error('no outcome yet');
  return seen.run;
}

/** Ends when its signal is aborted, `afterMs` later, the way that `end` does. */
const endsAfterAbort =
  (afterMs: number, end: () => unknown): Handler =>
  (_job, { signal }) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        try {
          resolve(end());
        } catch (error) {
          reject(error as Error);
        }
      };
      signal.addEventListener('abort', () => void setTimeout(stop, afterMs));
    });

const boom = new Error('boom');
const throws = () => {
  throw boom;
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('a handler that ends in time', () => {
  it.each<[string, Handler]>([
    ['a promise', async () => 'result'],
    ['a value', () => 'result'],
  ])('has succeeded when it returns %s', async (_, handler) => {
    const { outcome, ended } = await outcomeOf(handler);
    expect(outcome).toEqual({ kind: 'succeeded', result: 'result' });
    expect(ended).toBeUndefined();
  });

  it.each<[string, Handler]>([
    ['throws', throws],
    ['rejects', () => Promise.reject(boom)],
  ])('has failed when it %s', async (_, handler) => {
    const { outcome, ended } = await outcomeOf(handler);
    expect(outcome).toEqual({ kind: 'failed', error: boom });
    expect(ended).toBeUndefined();
  });

  it('may throw anything', async () => {
    const { outcome } = await outcomeOf(() => Promise.reject(undefined as unknown as Error));
    expect(outcome).toEqual({ kind: 'failed', error: undefined });
  });

  it('gets the job and its context', async () => {
    const handler = vi.fn();
    const { context } = run(handler);
    await vi.advanceTimersByTimeAsync(0);
    expect(handler).toHaveBeenCalledExactlyOnceWith(job, context);
  });
});

describe('a handler over its timeout', () => {
  it('is aborted at the timeout, not before', async () => {
    const { context, seen } = run(endsAfterAbort(0, () => 'done'));
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS - 1);
    expect(context.abortReason).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(context.abortReason).toBeInstanceOf(JobTimeoutError);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.run?.outcome.kind).toBe('succeeded');
  });

  it('has succeeded when it ends well within the grace', async () => {
    const { seen } = run(endsAfterAbort(GRACE_MS - 1, () => 'late'));
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS + GRACE_MS - 1);
    expect(seen.run).toEqual({ outcome: { kind: 'succeeded', result: 'late' }, ended: undefined });
  });

  it('has timed out when it throws after its abort, whatever it throws', async () => {
    const { context, seen } = run(endsAfterAbort(10, throws));
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS + 10);
    expect(seen.run?.outcome).toEqual({ kind: 'timed-out', error: context.abortReason });
    expect(seen.run?.ended).toBeUndefined();
  });

  it('has timed out after the grace when it ignores the abort; `ended` waits for it', async () => {
    let end = () => {};
    const { seen } = run(
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS + GRACE_MS - 1);
    expect(seen.run).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.run?.outcome.kind).toBe('timed-out');
    const ended = vi.fn();
    void seen.run?.ended?.then(ended);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ended).not.toHaveBeenCalled();
    end();
    await vi.advanceTimersByTimeAsync(0);
    expect(ended).toHaveBeenCalledOnce();
  });

  it('resolves `ended` also when the handler throws at last', async () => {
    const { seen } = run(endsAfterAbort(GRACE_MS + 1_000, throws));
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS + GRACE_MS);
    expect(seen.run?.outcome.kind).toBe('timed-out');
    await vi.advanceTimersByTimeAsync(1_000);
    await expect(seen.run?.ended).resolves.toBeUndefined();
  });
});

describe('a handler that is asked to stop', () => {
  it.each([
    new ShuttingDownError('worker'),
    new DeliveryLostError('report.render', 'the connection was lost'),
  ])('is cancelled with the reason: $name', async (reason) => {
    const { context, seen } = run(endsAfterAbort(0, throws));
    context.abort(reason);
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.run?.outcome).toEqual({ kind: 'cancelled', error: reason });
  });

  it('is withdrawn when its job was cancelled, and has its grace for that', async () => {
    const { context, seen } = run(endsAfterAbort(GRACE_MS - 1, throws));
    context.abort(new JobCancelledError('report.render', 'ada'));
    await vi.advanceTimersByTimeAsync(GRACE_MS - 1);
    expect(seen.run).toEqual({ outcome: { kind: 'withdrawn', by: 'ada' }, ended: undefined });
  });

  it.each([
    [new JobCancelledError('report.render'), 'withdrawn'],
    [new ClaimLostError('report.render', 'expired'), 'cancelled'],
  ])('is settled after the grace when it ignores: $0.name', async (reason, kind) => {
    const { context, seen } = run(endsAfterAbort(GRACE_MS + 5, throws));
    context.abort(reason);
    await vi.advanceTimersByTimeAsync(GRACE_MS);
    expect(seen.run?.outcome.kind).toBe(kind);
    await vi.advanceTimersByTimeAsync(5);
    await expect(seen.run?.ended).resolves.toBeUndefined();
  });

  it('has still succeeded when it finishes', async () => {
    const { context, seen } = run(endsAfterAbort(0, () => 'done'));
    context.abort(new ShuttingDownError('worker'));
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.run?.outcome).toEqual({ kind: 'succeeded', result: 'done' });
  });

  it('is settled at once when waiting for it is given up', async () => {
    let end = () => {};
    const { context, seen } = run(
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    const reason = new ShuttingDownError('worker');
    context.abort(reason);
    context.giveUp();
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.run?.outcome).toEqual({ kind: 'cancelled', error: reason });
    end();
    await expect(seen.run?.ended).resolves.toBeUndefined();
  });

  it('keeps its first reason when its timeout comes later', async () => {
    const { context, seen } = run(() => new Promise(() => {}));
    const reason = new ShuttingDownError('worker');
    context.abort(reason);
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS + GRACE_MS);
    expect(seen.run?.outcome).toEqual({ kind: 'cancelled', error: reason });
  });
});
