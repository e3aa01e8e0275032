import { loadConfig } from '@warren/runtime';
import { createMetrics } from '@warren/telemetry';
import { expect, it } from 'vitest';
import { documentsSettings } from './config.ts';
import { quietLogger } from './fixtures/quiet-logger.ts';
import { createService } from './service.ts';

const load = (env: Record<string, string>) => loadConfig(documentsSettings, env);

it('asks public addresses only, unless told otherwise', () => {
  expect(load({}).DOCUMENT_ALLOW_PRIVATE).toBe(false);
  expect(load({ DOCUMENT_ALLOW_PRIVATE: '1' }).DOCUMENT_ALLOW_PRIVATE).toBe(true);
});

it.each([
  ['DOCUMENT_MAX_BYTES', '0'],
  ['DOCUMENT_STORE_MAX_BYTES', '2 GiB'],
  ['DOCUMENT_FETCH_SECONDS', '300'],
  ['DOCUMENT_ANALYSE_SECONDS', '300'],
  ['DOCUMENT_ALLOW_PRIVATE', 'perhaps'],
])('refuses %s=%j, naming it', (name, value) => {
  expect(() => load({ [name]: value })).toThrow(new RegExp(`^${name}: must be`));
});

it('refuses a store that the largest document does not fit in', () => {
  const config = load({ DOCUMENT_MAX_BYTES: '2048', DOCUMENT_STORE_MAX_BYTES: '1024' });
  const metrics = createMetrics({ service: 'documents', version: '0.0.0' });
  expect(() => createService(config, { logger: quietLogger, metrics })).toThrow(
    /^DOCUMENT_STORE_MAX_BYTES: /,
  );
});
