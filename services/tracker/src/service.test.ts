import { loadConfig } from '@warren/runtime';
import { quietTelemetry } from '@warren/testing';
import { expect, it } from 'vitest';
import { trackerSettings } from './config.ts';
import { createService } from './service.ts';
import { Standing } from './standing.ts';

const create = (env: Record<string, string>) =>
  createService(loadConfig(trackerSettings, env), quietTelemetry());

it('refuses a store that no other process could read', () => {
  expect(() => create({})).toThrow(/^DATABASE_URL: must be set/);
  expect(() => create({ DATABASE_URL: 'mysql://a/b' })).toThrow(/^DATABASE_URL: .*postgres:/);
  expect(() => create({ DATABASE_URL: 'postgres://a/b', RETENTION_SUCCEEDED_DAYS: '0' })).toThrow(
    /^RETENTION_SUCCEEDED_DAYS: /,
  );
});

it('does nothing, and is ready, where no history is told', async () => {
  const service = create({ WARREN_HISTORY: 'false' });
  await service.start();
  expect(service.ready()).toEqual({ ready: true, checks: { history: 'off' } });
  await service.stop();
});

it('is ready when it reads, and when another does; not without a store', () => {
  const standing = new Standing();
  const ready = (reader?: string) => standing.readiness({ broker: undefined, reader });
  expect(ready()).toMatchObject({ ready: false, checks: { history: 'not reading yet' } });
  standing.standBy();
  expect(ready('x')).toMatchObject({
    ready: true,
    checks: { history: 'standby: another tracker reads' },
  });
  standing.startReading();
  expect(ready('no channel')).toMatchObject({ ready: false, checks: { history: 'no channel' } });
  expect(ready()).toEqual({ ready: true, checks: { broker: 'ok', store: 'ok', history: 'ok' } });
  standing.store('away');
  expect(ready()).toMatchObject({ ready: false, checks: { store: 'away' } });
  standing.store(undefined);
  expect(ready().ready).toBe(true);
});
