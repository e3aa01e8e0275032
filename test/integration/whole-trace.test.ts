import { catalog, sendEmail } from '@warren/catalog';
import { NonRetryableError, RetryAfterError } from '@warren/contracts';
import { createService as createGateway, gatewaySettings } from '@warren/gateway';
import { loadConfig, type Service } from '@warren/runtime';
import {
  type CollectedSpans,
  collectSpans,
  eventually,
  type Installation,
  install,
  openStoreBench,
  quietTelemetry,
  type SeenSpan,
  type StoreBench,
} from '@warren/testing';
import { handle } from '@warren/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';

const MAIL = { type: 'email.send', payload: { to: 'a@example.org', subject: 'Hi', text: 'Hello' } };
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

let here: Installation;
let bench: StoreBench & { dispose(): Promise<void> };
let gateway: Service & { url(): string | undefined };
let spans: CollectedSpans;
let mayEnd = false;

beforeAll(async () => {
  here = await install(catalog, { history: true });
  bench = await openStoreBench({ namespace: here.namespace });
  spans = collectSpans();
  const env = { AMQP_URL: here.url, WARREN_NAMESPACE: here.namespace, PORT: '0' };
  const config = loadConfig(gatewaySettings, env);
  gateway = createGateway(config, { ...quietTelemetry(), store: bench.store });
  await gateway.start();
  await here.work([
    handle(sendEmail, ({ attempt }) => {
      if (mayEnd) return;
      if (attempt === 1) throw new RetryAfterError(1, 'busy');
      throw new NonRetryableError('no such mailbox');
    }),
  ]);
  await eventually('the gateway is ready', () => gateway.ready().ready);
});
afterAll(async () => {
  await gateway.stop();
  await here.dispose();
  await spans.end();
  await bench.dispose();
});

const post = async (path: string, body: object, headers = {}) => {
  const response = await fetch(`${gateway.url()}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(202);
  return (await response.json()) as { id: string };
};

/** By the first word of their names, in the order of their starts. */
const seen = (of: (span: SeenSpan) => boolean) =>
  spans
    .all()
    .filter(of)
    .map((span) => span.name.split(' ')[0]);

it('one trace leads from the request to the dead letter, and on after its replay', async () => {
  const caller = { traceparent: `00-${TRACE}-${CALLER}-01` };
  const { id } = await post('/v1/jobs', MAIL, caller);
  const [dead] = await spans.named('dead_letter ', 1);
  mayEnd = true;
  await post('/v1/replays', { queue: 'email.send' });
  await spans.named('ack ', 1);

  const isOfJob = ({ traceId }: SeenSpan) => traceId === TRACE;
  expect(seen(isOfJob)).toEqual([
    'POST',
    'create',
    'send',
    'process',
    'retry',
    'process',
    'dead_letter',
    'process',
    'ack',
  ]);
  const [request, created, sent, first, retry, second, , third, ack] = spans.all().filter(isOfJob);
  expect(request?.parentSpanId).toBe(CALLER);
  expect(created?.parentSpanId).toBe(request?.spanId);
  for (const after of [sent, first, second, third]) {
    expect(after?.parentSpanId).toBe(created?.spanId);
  }
  expect([retry, dead, ack].map((span) => span?.parentSpanId)).toEqual(
    [first, second, third].map((span) => span?.spanId),
  );
  for (const attempt of [first, second, third]) {
    expect(attempt?.attributes['messaging.message.id']).toBe(id);
  }
  expect(second?.links).toEqual([created?.spanId, first?.spanId]);

  // Who replays has a trace of his own, which knows the job's and is known by it.
  const [replay] = await spans.named('replay ', 1);
  expect(replay?.traceId).not.toBe(TRACE);
  expect(replay?.links).toEqual([created?.spanId, second?.spanId]);
  expect(third?.links).toEqual([created?.spanId, replay?.spanId]);
});
