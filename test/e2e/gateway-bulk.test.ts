import { AmqpAdmin, eventually, sharedBrokerUrl, takeIds } from '@warren/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BulkStream } from './support/bulk.ts';
import { type GatewayProcess, startGateway } from './support/gateway.ts';
import { mailJob } from './support/http.ts';

const brokerUrl = sharedBrokerUrl();
const LINES = 50_000;
const BATCH = 500;
/** The program itself takes about half of it; 50,000 jobs of two kilobytes would take twice as much. */
const HEAP_MIB = 96;
const MAX_RSS_BYTES = 400 * 1024 * 1024;

let gateway: GatewayProcess;
let admin: AmqpAdmin;
beforeAll(async () => {
  gateway = await startGateway(brokerUrl, {
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
    PUBLISH_TIMEOUT_SECONDS: '60',
  });
  admin = await AmqpAdmin.connect(brokerUrl);
});
beforeEach(async () => {
  await admin.run((channel) => channel.purgeQueue(gateway.queue));
});
afterAll(async () => {
  await admin?.close();
  await gateway?.dispose();
});

function lineOf(n: number, text?: string): string {
  const { type, payload } = mailJob(`Bulk ${n}`);
  return `${JSON.stringify({ type, payload: { ...payload, ...(text && { text }) } })}\n`;
}

const rssBytes = async () => {
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes\S* (\S+)$/m.exec(text)?.[1]);
};

describe('POST /v1/jobs/bulk', () => {
  it('takes an array, and has all of it in the queue', async () => {
    const jobs = Array.from({ length: 1_000 }, (_, n) => mailJob(`Bulk ${n}`));
    const response = await fetch(`${gateway.url}/v1/jobs/bulk`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([...jobs, { ...mailJob('Bad'), payload: {} }]),
    });
    expect(response.status).toBe(200);
    const body = (await response.json()) as {
      accepted: number;
      results: { index: number; id?: string; error?: { code: string } }[];
    };
    expect(body.accepted).toBe(1_000);
    expect(body.results.map(({ index }) => index)).toEqual(
      Array.from({ length: 1_001 }, (_, n) => n),
    );
    expect(body.results[1_000]?.error?.code).toBe('PAYLOAD_INVALID');
    const queued = new Set(await takeIds(brokerUrl, gateway.queue));
    expect([...queued].sort()).toEqual(body.results.flatMap(({ id }) => id ?? []).sort());
  });

  it('takes a stream of 50,000 lines with memory for a few', async () => {
    const stream = new BulkStream(gateway.url);
    const text = 'x'.repeat(1_900);
    let highestBytes = 0;
    for (let from = 0; from < LINES; from += BATCH) {
      const lines = Array.from({ length: BATCH }, (_, n) => lineOf(from + n, text));
      await stream.write(lines.join(''));
      if (from % 10_000 === 0) highestBytes = Math.max(highestBytes, await rssBytes());
    }
    const { last, ids, codes } = await stream.end();
    expect(codes).toEqual([]);
    expect(last).toEqual({ accepted: LINES, rejected: 0 });
    expect(new Set(ids).size).toBe(LINES);
    expect(await admin.depth(gateway.queue)).toBe(LINES);
    expect(highestBytes).toBeGreaterThan(0);
    expect(highestBytes).toBeLessThan(MAX_RSS_BYTES);
  }, 300_000);

  it('stops reading when the client is gone; what it was answered is in the queue', async () => {
    const stream = new BulkStream(gateway.url);
    for (let n = 0; stream.ids.length < 2_000; n += BATCH) {
      await stream.write(Array.from({ length: BATCH }, (_, k) => lineOf(n + k)).join(''));
    }
    await stream.abandon();
    const depth = await eventually('the queue grows no more', async () => {
      const before = await admin.depth(gateway.queue);
      await fetch(`${gateway.url}/readyz`);
      const unconfirmed = await (await fetch(`${gateway.url}/metrics`)).text();
      const isIdle = /^jobs_publish_unconfirmed\S* 0$/m.test(unconfirmed);
      return isIdle && before === (await admin.depth(gateway.queue)) ? before : undefined;
    });
    expect(depth).toBeGreaterThanOrEqual(stream.ids.length);
    const queued = new Set(await takeIds(brokerUrl, gateway.queue));
    expect(stream.ids.filter((id) => !queued.has(id))).toEqual([]);
  });
});

it('POST /v1/events reaches a queue that is bound to the events', async () => {
  const queue = `${gateway.queue}.reader`;
  await admin.run(async (channel) => {
    await channel.assertQueue(queue, { exclusive: true });
    await channel.bindQueue(queue, gateway.names.events, 'order.#');
  });
  const payload = { orderId: 'A-1', total: 1999, currency: 'EUR' };
  const response = await fetch(`${gateway.url}/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'order.placed', payload }),
  });
  expect(response.status).toBe(202);
  const { id } = (await response.json()) as { id: string };
  const [message, ...more] = await admin.take(queue);
  expect(more).toEqual([]);
  expect(message?.properties).toMatchObject({ messageId: id, type: 'order.placed' });
  expect(JSON.parse(String(message?.content))).toEqual(payload);
});
