import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { loadConfig } from '@warren/runtime';
import { createMetrics } from '@warren/telemetry';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { paymentSettings } from './config.ts';
import { quietLogger } from './fixtures/quiet-logger.ts';
import { createService, type PaymentDeps } from './service.ts';

const NO_BROKER = 'amqp://127.0.0.1:1';
const NO_DATABASE = 'postgres://127.0.0.1:1/none';
const REAL = { PAYMENT_PROVIDER_URL: 'http://127.0.0.1:1', PAYMENT_PROVIDER_KEY: 'k' };

function create(env: Record<string, string>, deps: Partial<PaymentDeps> = {}) {
  const config = loadConfig(paymentSettings, {
    AMQP_URL: NO_BROKER,
    PAYMENT_DEV_PORT: '0',
    // Nothing is to be told at the stop.
    WARREN_HISTORY: 'false',
    ...env,
  });
  const metrics = createMetrics({ service: 'payment', version: 'test', processMetrics: false });
  return createService(config, { logger: quietLogger, metrics, ...deps });
}

describe('the payment service', () => {
  it.each<[string, Record<string, string>, Partial<PaymentDeps>]>([
    ['PAYMENT_PROVIDER_URL', { DATABASE_URL: NO_DATABASE }, {}],
    ['PAYMENT_PROVIDER_KEY', { ...REAL, PAYMENT_PROVIDER_KEY: '', DATABASE_URL: NO_DATABASE }, {}],
    ['DATABASE_URL', REAL, {}],
    ['DATABASE_URL', {}, { developmentProvider: true }],
  ])('does not begin without %s', (setting, env, deps) => {
    expect(() => create(env, deps)).toThrow(expect.objectContaining({ setting }));
  });

  it('starts while broker and store are away, and asks the provider that is set', async () => {
    const service = create({ ...REAL, DATABASE_URL: NO_DATABASE }, { developmentProvider: true });
    onTestFinished(() => service.stop());
    await service.start();
    await vi.waitFor(() =>
      expect(service.ready()).toMatchObject({
        ready: false,
        checks: { store: expect.stringContaining('does not answer') },
      }),
    );
    expect(service.chargesUrl()).toBeUndefined();
  });

  it('has a provider of its own where it may, until it stops', async () => {
    const service = create({ DATABASE_URL: NO_DATABASE }, { developmentProvider: true });
    onTestFinished(() => service.stop());
    await service.start();
    const url = service.chargesUrl() ?? '';
    expect(await (await fetch(url)).json()).toEqual([]);
    await service.stop();
    await expect(fetch(url)).rejects.toThrow();
  });

  it('names PAYMENT_DEV_PORT where it is in use', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    onTestFinished(() => void holder.close());
    const port = String((holder.address() as AddressInfo).port);
    const service = create(
      { DATABASE_URL: NO_DATABASE, PAYMENT_DEV_PORT: port },
      { developmentProvider: true },
    );
    onTestFinished(() => service.stop());
    await expect(service.start()).rejects.toMatchObject({ setting: 'PAYMENT_DEV_PORT' });
  });
});
