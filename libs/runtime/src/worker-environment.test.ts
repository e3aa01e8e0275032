import { expect, it } from 'vitest';
import { loadConfig } from './config.ts';
import { brokerSettings, historySettings, opsSettings } from './shared-settings.ts';
import { workerEnvironment } from './worker-environment.ts';
import { workerSettings } from './worker-settings.ts';

const settings = {
  ...opsSettings,
  ...brokerSettings,
  ...historySettings,
  ...workerSettings([{ type: 'email.send' }]),
};
const environment = (env: Record<string, string>) => workerEnvironment(loadConfig(settings, env));

it('is all that the environment says of a worker', () => {
  const env = {
    AMQP_URL: 'amqp://one',
    WARREN_NAMESPACE: 'shop',
    HISTORY_MAX_AGE_DAYS: '3',
    HISTORY_MAX_BYTES: '1000000000',
    CONCURRENCY: 'email.send=5',
    PREFETCH: 'email.send=50',
    CONSUMER_TIMEOUT_SECONDS: '60',
    SHUTDOWN_GRACE_SECONDS: '7',
  };
  expect(environment(env)).toEqual({
    connection: expect.objectContaining({ urls: ['amqp://one'] }),
    namespace: 'shop',
    history: { maxAge: '3D', maxBytes: 1_000_000_000 },
    concurrency: { 'email.send': 5 },
    prefetch: { 'email.send': 50 },
    consumerTimeoutMs: 60_000,
    shutdownGraceMs: 7_000,
  });
});

it('leaves to the code what is not said', () => {
  expect(environment({ WARREN_HISTORY: 'off' })).toMatchObject({
    namespace: undefined,
    history: false,
    concurrency: undefined,
    prefetch: undefined,
  });
});
