import { createMetrics } from '@warren/telemetry';
import { afterEach, describe, expect, test } from 'vitest';
import { createOpsServer, type OpsServer, type OpsServerOptions } from './ops-server.ts';

const metrics = createMetrics({ service: 'test', version: '1', processMetrics: false });
const fine = { ready: () => ({ ready: true, checks: { broker: 'ok' } }) };
const down = { ready: () => ({ ready: false, checks: { broker: 'not connected' } }) };
const broken = {
  ready: () => {
    throw new Error('no answer');
  },
};

const servers: OpsServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

function create(options: Partial<OpsServerOptions> = {}): OpsServer {
  const server = createOpsServer({ host: '127.0.0.1', port: 0, services: {}, metrics, ...options });
  servers.push(server);
  return server;
}

async function serve(options: Partial<OpsServerOptions> = {}) {
  const { port } = await create(options).start();
  return {
    port,
    get: (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init),
  };
}

describe('/readyz', () => {
  test('200 when every service is ready', async () => {
    const { get } = await serve({ services: { gateway: fine, email: fine } });
    const response = await get('/readyz');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      ready: true,
      services: { gateway: fine.ready(), email: fine.ready() },
    });
  });

  test('503 when one is not, or cannot say; the others are still shown', async () => {
    const { get } = await serve({ services: { gateway: fine, email: down, report: broken } });
    const response = await get('/readyz');
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({
      ready: false,
      services: {
        gateway: fine.ready(),
        email: down.ready(),
        report: { ready: false, checks: { ready: 'failed to answer' } },
      },
    });
  });
});

describe('/healthz', () => {
  test.each([
    [200, {}],
    [200, { services: { email: down } }],
    [200, { services: { email: { ...fine, healthy: (): boolean => true } } }],
    [503, { services: { email: { ...fine, healthy: (): boolean => false } } }],
    [503, { healthy: (): boolean => false }],
  ] as const)('%i for %o', async (status, options) => {
    const { get } = await serve(options);
    expect((await get('/healthz')).status).toBe(status);
  });
});

describe('/metrics', () => {
  test('serves the text with the exact type', async () => {
    const { get } = await serve();
    const response = await get('/metrics');
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(await response.text()).toContain('jobs_build_info{service="test"');
  });

  test('hands on what the scrape asked for', async () => {
    const expose = (accept: string | undefined) =>
      Promise.resolve({ text: `for ${accept}`, contentType: 'text/odd; version=2' });
    const { get } = await serve({ metrics: { expose } });
    const response = await get('/metrics', { headers: { accept: 'text/odd' } });
    expect(response.headers.get('content-type')).toBe('text/odd; version=2');
    expect(await response.text()).toBe('for text/odd');
  });

  test('500 without details when it cannot', async () => {
    const expose = () => Promise.reject(new Error('secret detail'));
    const { get } = await serve({ metrics: { expose } });
    const response = await get('/metrics');
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret detail');
  });
});

test('/v1/breakers: those of each service', async () => {
  const circuits = [{ key: undefined, state: 'open', override: 'open', waitMs: 7 }] as const;
  const breakers = () => [{ name: 'smtp', circuits }];
  const { get } = await serve({ services: { gateway: fine, email: { ...fine, breakers } } });
  expect(await (await get('/v1/breakers')).json()).toEqual({
    services: {
      gateway: [],
      email: [{ name: 'smtp', circuits: [{ state: 'open', override: 'open', waitMs: 7 }] }],
    },
  });
});

test('other paths: 404 that says what there is, and no framework name', async () => {
  const { get } = await serve();
  const response = await get('/<script>');
  expect(response.status).toBe(404);
  expect(response.headers.get('x-powered-by')).toBeNull();
  expect(await response.json()).toEqual({
    error: 'try /healthz, /readyz, /metrics or /v1/breakers',
  });
});

describe('start and stop', () => {
  test('a taken port is an error that names OPS_PORT', async () => {
    const { port } = await serve();
    await expect(create({ port }).start()).rejects.toMatchObject({
      setting: 'OPS_PORT',
      message: `OPS_PORT: cannot listen on 127.0.0.1:${port}: the port is in use by another process`,
    });
  });

  test('an address of another machine is an error that names OPS_HOST', async () => {
    await expect(create({ host: '192.0.2.1' }).start()).rejects.toMatchObject({
      setting: 'OPS_HOST',
    });
  });

  test('stop does not wait for a request in hand, and may be called twice or before start', async () => {
    let asked = () => {};
    const inHand = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const expose = () => {
      asked();
      return new Promise<never>(() => undefined);
    };
    const server = create({ metrics: { expose } });
    await server.stop();
    const { port } = await server.start();
    const request = fetch(`http://127.0.0.1:${port}/metrics`).catch(() => 'cut off');
    await inHand;
    await server.stop();
    expect(await request).toBe('cut off');
    await server.stop();
  });
});
