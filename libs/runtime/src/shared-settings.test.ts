import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadConfig } from './config.ts';
import { brokerSettings, historySettings, opsSettings } from './shared-settings.ts';

const broker = (env: Record<string, string>) => loadConfig(brokerSettings, env);
const here = fileURLToPath(import.meta.url);

describe('historySettings', () => {
  test('tells the history for a week unless told otherwise', () => {
    expect(loadConfig(historySettings, {})).toEqual({
      WARREN_HISTORY: true,
      HISTORY_MAX_AGE_DAYS: 7,
      HISTORY_MAX_BYTES: 5_000_000_000,
    });
    expect(loadConfig(historySettings, { WARREN_HISTORY: 'off' }).WARREN_HISTORY).toBe(false);
  });

  test.each([
    ['WARREN_HISTORY', 'maybe'],
    ['HISTORY_MAX_AGE_DAYS', '0'],
    ['HISTORY_MAX_BYTES', '5GB'],
  ])('refuses %s=%s by name', (name, value) => {
    expect(() => loadConfig(historySettings, { [name]: value })).toThrow(name);
  });
});

describe('brokerSettings', () => {
  test('without any variable: a broker on this machine, by its IPv4 address', () => {
    expect(broker({})).toMatchObject({
      AMQP_URL: ['amqp://127.0.0.1:5672'],
      AMQP_HEARTBEAT_SECONDS: 10,
      WARREN_NAMESPACE: undefined,
    });
  });

  test('several nodes become a list', () => {
    expect(broker({ AMQP_URL: 'amqp://one, amqps://u:p%40ss@[::1]:5671/jobs' }).AMQP_URL).toEqual([
      'amqp://one',
      'amqps://u:p%40ss@[::1]:5671/jobs',
    ]);
  });

  test.each([
    'http://broker',
    'broker:5672',
    'amqp://',
    'amqp://one,two',
    'amqp://one,',
    'amqp://one:port',
    'amqp://u:Zq9s:s/#?%$&+ @broker',
    'amqp://u:1/Zq9@broker',
    'amqp://u:Zq9@x?@broker',
  ])('%s is refused without being shown', (AMQP_URL) => {
    const attempt = () => broker({ AMQP_URL });
    expect(attempt).toThrow(/^AMQP_URL: must be .*URLs.*secret and not shown/);
    expect(attempt).not.toThrow('Zq9');
  });

  test('a password apart from the URL is taken as it is', () => {
    const password = ' p@s:s/#?%$&+ä€漢 ';
    expect(broker({ AMQP_USERNAME: 'app', AMQP_PASSWORD: password }).AMQP_PASSWORD).toBe(password);
  });

  test.each(['AMQP_CA_FILE', 'AMQP_CERT_FILE', 'AMQP_KEY_FILE'])('%s must be readable', (name) => {
    expect(broker({ [name]: here })).toMatchObject({ [name]: here });
    expect(() => broker({ [name]: `${here}.gone` })).toThrow(
      `${name}: must be the path of a file that this process can read`,
    );
  });

  test.each(['4', '61', 'ten'])('a heartbeat of %s is refused', (AMQP_HEARTBEAT_SECONDS) => {
    expect(() => broker({ AMQP_HEARTBEAT_SECONDS })).toThrow('a whole number from 5 to 60');
  });

  test.each(['a.b', '9x', 'X', 'x'.repeat(41)])('namespace %s is refused', (WARREN_NAMESPACE) => {
    expect(() => broker({ WARREN_NAMESPACE })).toThrow(
      'WARREN_NAMESPACE: must be a lower-case word',
    );
  });
});

test('opsSettings: no ops server, loopback, info, twenty seconds', () => {
  expect(loadConfig(opsSettings, {})).toEqual({
    OPS_PORT: undefined,
    OPS_HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    SHUTDOWN_GRACE_SECONDS: 20,
  });
});
