import { quietTelemetry } from '@warren/testing';
import { expect, it } from 'vitest';
import { RunContext } from './run-context.ts';
import { RunningHandler, RunningHandlers } from './running.ts';

const { logger } = quietTelemetry();

function context(id: string, generation: number) {
  return new RunContext(
    {
      id,
      type: 'order.placed',
      payload: {},
      attempt: 1,
      generation,
      queue: 'ns.audit',
      publishedAtMs: undefined,
      correlationId: undefined,
      headers: {},
    },
    logger,
  );
}

it('a cancellation reaches the handlers of the job that it means, and no other', () => {
  const running = new RunningHandlers();
  const [meant, later, other] = [context('a', 0), context('a', 1), context('b', 0)];
  const handlers = [meant, later, other].map((one, n) => new RunningHandler(one, `r${n}`, n));
  for (const handler of handlers) running.add(handler);
  running.cancel({ id: 'a', queue: 'email.send', atMs: 0 }, 'audit');
  expect(meant.abortReason).toBeUndefined();
  running.cancel({ id: 'a', queue: 'audit', generation: 0, by: 'ada', atMs: 0 }, 'audit');
  expect(meant.abortReason).toMatchObject({ code: 'JOB_CANCELLED', by: 'ada' });
  expect([later.abortReason, other.abortReason]).toEqual([undefined, undefined]);
  running.delete(handlers[0] as RunningHandler);
  expect([running.count, running.runs, running.oldestStartMs]).toEqual([2, ['r1', 'r2'], 1]);
});
