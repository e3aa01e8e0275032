import { Writable } from 'node:stream';
import { loadConfig, newApiKey } from '@warren/runtime';
import { createLogger, createMetrics } from '@warren/telemetry';
import { afterEach, describe, expect, it } from 'vitest';
import { gatewaySettings } from './config.ts';
import { GOOD_JOB, postJob } from './fixtures/post-job.ts';
import { createService, type GatewayService } from './service.ts';

/** Nothing listens on this port of loopback. */
const NO_BROKER = 'amqp://127.0.0.1:9';

let gateway: GatewayService | undefined;
afterEach(async () => {
  await gateway?.stop();
  gateway = undefined;
});

const warnings: string[] = [];
const destination = new Writable({
  write(chunk: Buffer, _encoding, done) {
    warnings.push(chunk.toString());
    done();
  },
});

async function startWithoutBroker(env: Record<string, string> = {}): Promise<string> {
  warnings.length = 0;
  gateway = createService(loadConfig(gatewaySettings, { AMQP_URL: NO_BROKER, PORT: '0', ...env }), {
    logger: createLogger({ service: 'gateway', level: 'warn', destination }),
    metrics: createMetrics({ service: 'gateway', version: '0.0.0' }),
  });
  await gateway.start();
  return gateway.url() ?? '';
}

describe('a gateway whose broker is away', () => {
  it('listens, says that it is not ready, and refuses jobs at once with Retry-After', async () => {
    const url = await startWithoutBroker();
    const ready = await fetch(`${url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ services: { gateway: { checks: { http: 'ok' } } } });
    const startedMs = performance.now();
    const { status, headers, body } = await postJob(url, {
      ...GOOD_JOB,
      payload: { ...GOOD_JOB.payload, text: 'Hello' },
    });
    expect(performance.now() - startedMs).toBeLessThan(2_000);
    expect(status).toBe(503);
    expect(body.code).toBe('BROKER_UNAVAILABLE');
    expect(headers.get('retry-after')).toBe('5');
  });

  it('still tells callers what is wrong with their jobs', async () => {
    const url = await startWithoutBroker();
    const unknown = await postJob(url, { type: 'email.sent', payload: {} });
    expect(unknown.status).toBe(422);
    expect(unknown.body.code).toBe('UNKNOWN_JOB_TYPE');
    const internal = await postJob(url, { type: 'email.campaign-part', payload: {} });
    expect(internal.body.code).toBe('UNKNOWN_JOB_TYPE');
    expect(internal.body.detail).not.toMatch(/known: .*campaign-part/);
    const event = await postJob(url, { type: 'order.lost', payload: {} }, {}, '/v1/events');
    expect(event.body.detail).toBe('unknown event "order.lost" (known: order.placed)');
    const late = await postJob(url, { ...GOOD_JOB, delay: '2h', expiresIn: '1h' });
    expect(late.body.errors).toEqual([
      { field: 'expiresIn', message: 'is over before the job may run' },
    ]);
    const wrong = await postJob(url, {
      type: 'email.send',
      payload: { to: 'nobody', subject: 'a\r\nBcc: b@example.org', more: 1 },
    });
    expect(wrong.status).toBe(422);
    expect(wrong.body.errors?.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['payload.to', 'payload.subject']),
    );
  });

  it('has no metrics on its own port once they have another', async () => {
    const url = await startWithoutBroker({ OPS_PORT: '0' });
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });

  it('stops, and refuses connections then', async () => {
    const url = await startWithoutBroker();
    await gateway?.stop();
    expect(gateway?.ready()).toMatchObject({ ready: false, checks: { http: 'stopping' } });
    await expect(fetch(url)).rejects.toThrow();
  });
});

describe('two gateways', () => {
  it('run in one process, and the second names PORT where it is the same', async () => {
    const url = await startWithoutBroker();
    const first = gateway;
    const { port } = new URL(url);
    await expect(startWithoutBroker({ PORT: port })).rejects.toMatchObject({ setting: 'PORT' });
    await gateway?.stop();
    await startWithoutBroker();
    await first?.stop();
  });
});

describe('a HOST that other machines reach', () => {
  const HOST = '0.0.0.0';
  const NOBODY_ASKED = 'callers are not authenticated';

  it('is refused, naming it', async () => {
    await expect(startWithoutBroker({ HOST })).rejects.toMatchObject({ setting: 'HOST' });
  });

  it('is taken with keys, which callers then need', async () => {
    const { key, entry } = newApiKey('shop', ['publish']);
    const url = await startWithoutBroker({ HOST, WARREN_API_KEYS: entry });
    expect((await postJob(url, GOOD_JOB)).status).toBe(401);
    // It is asked for before anything else: this one lacks its text.
    const { status } = await postJob(url, GOOD_JOB, { authorization: `Bearer ${key}` });
    expect(status).toBe(422);
    expect(warnings.join('')).not.toContain(NOBODY_ASKED);
  });

  it('is taken without where that is said to be meant, with a warning', async () => {
    const url = await startWithoutBroker({ HOST, WARREN_ALLOW_UNAUTHENTICATED: '1' });
    expect((await postJob(url, GOOD_JOB)).status).toBe(422);
    expect(warnings.join('')).toContain(NOBODY_ASKED);
  });
});
