import type { Jobs } from '@warren/client';
import type { Store } from '@warren/store';
import { metricValue, quietTelemetry } from '@warren/testing';
import { expect, it, vi } from 'vitest';
import { createAcceptance } from './acceptance.ts';

it('shows how many jobs wait in the outbox and for how long, as long as it is open', async () => {
  const { logger, metrics } = quietTelemetry('gateway');
  const outbox = {
    pending: async () => ({ count: 7, oldestAtMs: Date.now() - 60_000 }),
    lease: async () => [],
  };
  const store = { outbox, ping: async () => {} } as unknown as Store;
  const outlet = { isOpen: true, refusal: () => undefined, end: async () => {} };
  const jobs = { openOutlet: () => outlet } as unknown as Jobs;
  const acceptance = createAcceptance({
    jobs,
    store,
    jobTypes: [],
    hasHistory: true,
    logger,
    metrics,
    timeoutMs: 1_000,
  });
  await vi.waitFor(async () => expect(await metricValue(metrics, 'jobs_outbox_pending')).toBe(7));
  expect(await metricValue(metrics, 'jobs_outbox_oldest_age_seconds')).toBeGreaterThanOrEqual(60);
  await acceptance.close(100);
  expect(await metricValue(metrics, 'jobs_outbox_pending')).toBe(0);
});
