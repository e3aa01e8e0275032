import { context, trace } from '@opentelemetry/api';
import { type CollectedSpans, collectSpans } from '@warren/testing';
import { afterEach, expect, it } from 'vitest';
import { startProcess, type TracedDelivery, traceSettle } from './process-span.ts';
import { traceCreate, traceSend } from './publish-span.ts';
import type { Sampling } from './tracer.ts';

const KEPT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const LEFT_OUT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';
const message = {
  exchange: 'jobs',
  routingKey: 'email.send',
  id: 'j1',
  jobType: 'email.send',
  correlationId: undefined,
};
const delivery = (traceparent: string | undefined): TracedDelivery => ({
  ...message,
  queue: 'email.send',
  traceparent,
  previousSpan: undefined,
  attempt: 2,
  generation: 0,
  waitMs: undefined,
});
const OWN_SDK: Sampling = { followsParent: true, readsSpans: false };

let spans: CollectedSpans;
afterEach(() => spans.end());

/** Collects spans, and what was asked before one was made: its name, and how many attributes it had. */
function asking(isKept: boolean, sampling?: Sampling) {
  const asked: [name: string, attributes: number][] = [];
  const keep = (name: string, attributes: object) => {
    asked.push([name, Object.keys(attributes).length]);
    return isKept;
  };
  spans = collectSpans({ keep, sampling });
  return asked;
}

it('nothing is made of a run that belongs to what is not kept, and what it publishes says so', async () => {
  const asked = asking(true, OWN_SDK);
  const run = startProcess(delivery(LEFT_OUT));
  expect([run?.isKept, run?.sampledTraceId, run?.traceparent]).toEqual([
    false,
    undefined,
    LEFT_OUT,
  ]);
  await run?.run(async () => {
    expect(trace.getSpanContext(context.active())?.traceId).toBe(run.traceId);
    expect(traceCreate(message)?.traceparent).toBe(LEFT_OUT);
    await traceSend({ ...message, headers: undefined }, async (carry) =>
      expect(carry?.traceparent).toBe(LEFT_OUT),
    );
  });
  await traceSend({ ...message, headers: { traceparent: LEFT_OUT } }, async (carry) =>
    expect(carry).toBeUndefined(),
  );
  await traceSettle(delivery(LEFT_OUT), { name: 'ack', isLost: () => false }, async () => {});
  run?.end({ outcome: 'succeeded', decision: 'complete' });
  expect([asked, spans.all()]).toEqual([[], []]);
});

it('what is kept is told as ever, also where the sampler sees neither names nor attributes', async () => {
  const asked = asking(true, OWN_SDK);
  await traceSend({ ...message, headers: undefined }, async () => {});
  startProcess(delivery(KEPT))?.end({ outcome: 'succeeded', decision: 'complete' });
  expect(asked).toEqual([['send', 0]]);
  expect(spans.all().map(({ name }) => name)).toEqual([
    'send jobs:email.send',
    'process jobs:email.send',
  ]);
  expect(spans.all()[1]?.attributes).toMatchObject({
    'messaging.operation.type': 'process',
    'jobs.type': 'email.send',
    'jobs.attempt': 2,
    'messaging.message.id': 'j1',
  });
});

it('an SDK that nothing is known of is asked each time, with all that a sampler may want', async () => {
  const asked = asking(false);
  expect(startProcess(delivery(LEFT_OUT))?.isKept).toBe(false);
  await traceSend({ ...message, headers: undefined }, async () => {});
  expect(asked).toEqual([
    ['process jobs:email.send', 6],
    ['send jobs:email.send', 5],
  ]);
});
