import { loadConfig } from '@warren/runtime';
import { expect, it } from 'vitest';
import { paymentSettings } from './config.ts';

it('needs no variable but those that the service asks for', () => {
  expect(loadConfig(paymentSettings, {})).toMatchObject({
    PAYMENT_PROVIDER_URL: undefined,
    PAYMENT_PROVIDER_KEY: undefined,
    PAYMENT_TIMEOUT_SECONDS: 20,
    PAYMENT_DEV_PORT: 8026,
  });
});

it.each([
  'pay.example.org',
  'ftp://pay.example.org',
  'https://user:hush@pay.example.org',
  'https://pay.example.org/?key=hush',
])('refuses the provider %s', (url) => {
  expect(() => loadConfig(paymentSettings, { PAYMENT_PROVIDER_URL: url })).toThrow(
    /^PAYMENT_PROVIDER_URL: must be an http or https URL/,
  );
});

it('refuses a key that no header can hold, and does not show it', () => {
  const load = () => loadConfig(paymentSettings, { PAYMENT_PROVIDER_KEY: 'hush\nhush' });
  expect(load).toThrow(/^PAYMENT_PROVIDER_KEY: must be visible ASCII characters/);
  expect(load).not.toThrow(/hush/);
});
