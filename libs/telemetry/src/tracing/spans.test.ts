import { PayloadTooLargeError } from '@warren/contracts';
import { type CollectedSpans, collectSpans } from '@warren/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryLog } from '../fixtures/memory-log.ts';
import { jobLogger } from '../logger.ts';
import { startProcess, type TracedDelivery, traceSettle } from './process-span.ts';
import { traceCreate, traceSend } from './publish-span.ts';
import { traceReplay } from './replay-span.ts';
import { nameRequest, traceRequest } from './server-span.ts';
import { isTracing } from './tracer.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = `00-${TRACE}-b7ad6b7169203331-01`;
const message = {
  exchange: 'jobs',
  routingKey: 'email.send',
  id: 'j1',
  jobType: 'email.send',
  correlationId: undefined,
};
const delivery: TracedDelivery = {
  ...message,
  queue: 'email.send',
  traceparent: undefined,
  previousSpan: undefined,
  attempt: 1,
  generation: 0,
  waitMs: undefined,
};
const settlement = { name: 'ack', isLost: () => false };

describe('while nobody collects spans', () => {
  it('none is made, and all the work is done', async () => {
    expect(isTracing()).toBe(false);
    expect(traceCreate(message)).toBeUndefined();
    expect(startProcess(delivery)).toBeUndefined();
    const sent: unknown[] = [];
    await traceSend({ ...message, headers: {} }, async (carry) => void sent.push(carry));
    await traceReplay(delivery, message, async (span) => void sent.push(span));
    await traceSettle(delivery, settlement, async () => void sent.push('settled'));
    traceRequest({ headers: {} }, anAnswer(), () => void sent.push('served'));
    nameRequest('GET', '/v1/jobs');
    expect(sent).toEqual([undefined, undefined, 'settled', 'served']);
  });
});

describe('while spans are collected', () => {
  let spans: CollectedSpans;
  beforeEach(() => {
    spans = collectSpans();
  });
  afterEach(() => spans.end());

  it('a publish that fails says why, and fails alike', async () => {
    const error = new PayloadTooLargeError('email.send', 2, 1);
    const failing = traceSend({ ...message, headers: undefined }, () => Promise.reject(error));
    await expect(failing).rejects.toBe(error);
    const [span] = spans.all();
    expect(span).toMatchObject({ hasFailed: true, attributes: { 'error.type': error.code } });
  });

  it('a failed run tells neither what was hidden nor what hangs on its error', async () => {
    const error = Object.assign(
      new Error('cannot reach amqp://user:hunter2@host for ann@example.org'),
      {
        request: { body: 'sesame' },
        cause: new Error('sesame'),
      },
    );
    const run = startProcess(delivery);
    const redact = (text: string) => text.replaceAll('ann@example.org', '[redacted]');
    run?.end({ outcome: 'failed', decision: 'retry', error, redact });
    const text = spans.all()[0]?.text ?? '';
    expect(text).toContain('cannot reach');
    for (const secret of ['hunter2', 'ann@example.org', 'sesame'])
      expect(text).not.toContain(secret);
  });

  it.each([
    ['a text', 'boom', '_OTHER'],
    ['nothing', null, '_OTHER'],
    ['an error without a name', Object.assign(new Error('x'), { name: '' }), '_OTHER'],
    ['a class of the handler', new RangeError('x'), 'RangeError'],
  ])('a run may fail with %s', (_, error, type) => {
    startProcess(delivery)?.end({ outcome: 'failed', decision: 'retry', error });
    expect(spans.all()[0]).toMatchObject({ hasFailed: true, attributes: { 'error.type': type } });
  });

  it('a settlement that comes too late has failed', async () => {
    await traceSettle(delivery, { name: 'ack', isLost: () => true }, async () => {});
    expect(spans.all()[0]).toMatchObject({ name: 'ack jobs:email.send', hasFailed: true });
  });

  it('a decision against a trace travels with the message, so that nobody else takes it up', async () => {
    const given: unknown[] = [];
    traceRequest(
      { headers: { traceparent: `00-${TRACE}-b7ad6b7169203331-00` } },
      anAnswer(),
      () => {
        given.push(traceCreate(message));
      },
    );
    expect(given).toEqual([
      { traceparent: expect.stringMatching(`^00-${TRACE}-[0-9a-f]{16}-00$`) },
    ]);
    expect(spans.all()).toEqual([]);
  });

  it("a request goes on with its caller's trace, and says how it was answered", () => {
    const answer = anAnswer(503);
    const request = {
      method: 'POST',
      url: '/v1/jobs/7?key=sesame',
      headers: { traceparent: CALLER },
    };
    traceRequest(request, answer, () => nameRequest('POST', '/v1/jobs/:id'));
    answer.close();
    const [span] = spans.all();
    expect(span).toMatchObject({
      name: 'POST /v1/jobs/:id',
      kind: 'SERVER',
      traceId: TRACE,
      hasFailed: true,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/jobs/:id',
        'http.response.status_code': 503,
        'url.path': '/v1/jobs/7',
        'error.type': '503',
      },
    });
    expect(span?.text).not.toContain('sesame');
  });

  it('a request that has a span gets no other one', async () => {
    await spans.within('of an instrumentation', async () => {
      traceRequest({ headers: {} }, anAnswer(), () => nameRequest('GET', '/v1/jobs'));
    });
    expect(spans.all()).toMatchObject([
      { name: 'GET /v1/jobs', attributes: { 'http.route': '/v1/jobs' } },
    ]);
  });

  it('a line names the span that it is logged in, once', async () => {
    const { logger, text, last } = memoryLog();
    const ids = await spans.within('work', async () => {
      logger.info('alone');
      expect(last()['msg']).toBe('alone');
      logger.info({ n: 1 }, 'with %s', 'fields');
    });
    const named = { trace_id: ids.traceId, span_id: ids.spanId };
    expect(JSON.parse(text[0] ?? '')).toMatchObject(named);
    expect(last()).toMatchObject({ ...named, n: 1, msg: 'with fields' });
    const span = startProcess(delivery);
    const own = jobLogger(logger, { jobId: 'j', jobType: 't', attempt: 1, queue: 'q', span });
    span?.run(() => own.child({ step: 2 }).warn('of a job'));
    expect(text.at(-1)?.match(/trace_id/g)).toHaveLength(1);
    expect(last()).toMatchObject({ trace_id: span?.traceId, span_id: span?.spanId, step: 2 });
  });
});

function anAnswer(statusCode = 200) {
  let close = () => {};
  return {
    statusCode,
    writableFinished: true,
    once: (_: 'close', listener: () => void) => {
      close = listener;
    },
    close: () => close(),
  };
}
