import {
  AmqpAdmin,
  collect,
  type OtlpReceiver,
  sharedBrokerUrl,
  sharedDatabaseUrl,
  startOtlpReceiver,
} from '@warren/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from './support/gateway.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const MAIL = { type: 'email.send', payload: { to: 'a@example.org', subject: 'Hi', text: 'Hello' } };

const brokerUrl = sharedBrokerUrl();
let collector: OtlpReceiver;
let gateway: GatewayProcess;
beforeAll(async () => {
  collector = await startOtlpReceiver();
  gateway = await startGateway(brokerUrl, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    // With a store the job is made by the request, and sent after it by the relay.
    DATABASE_URL: sharedDatabaseUrl(),
  });
});
afterAll(async () => {
  await gateway.dispose();
  await collector.stop();
});

it("the gateway goes on with a caller's trace, hands it to the job, and sends its spans to the collector", async () => {
  const response = await fetch(`${gateway.url}/v1/jobs`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      traceparent: `00-${TRACE}-${CALLER}-01`,
    },
    body: JSON.stringify(MAIL),
  });
  expect(response.status).toBe(202);
  const admin = await AmqpAdmin.connect(brokerUrl);
  const [message] = await collect(admin, gateway.queue, 1);
  await admin.close();
  expect((await gateway.program.stop()).code).toBe(0);

  const [sent] = collector.exports;
  expect(sent?.resource['service.name']).toBe('gateway');
  const spans = collector.exports.flatMap((one) => one.spans);
  const of = (name: string) => spans.find((span) => span.name === name);
  const request = of('POST /v1/jobs');
  const created = of(`create ${gateway.names.jobs}:email.send`);
  expect(request).toMatchObject({ traceId: TRACE, parentSpanId: CALLER });
  expect(created).toMatchObject({ traceId: TRACE, parentSpanId: request?.spanId });
  expect(of(`send ${gateway.names.jobs}:email.send`)).toMatchObject({
    traceId: TRACE,
    parentSpanId: created?.spanId,
  });
  expect(message?.properties.headers?.['traceparent']).toBe(`00-${TRACE}-${created?.spanId}-01`);
});
