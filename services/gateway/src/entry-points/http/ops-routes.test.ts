import { createMetrics } from '@warren/telemetry';
import { afterEach, expect, it } from 'vitest';
import { type RunningApp, runApp } from '../../fixtures/running-app.ts';

let app: RunningApp;
afterEach(() => app.stop());

it('is healthy while the process answers, ready only when every service is', async () => {
  const well = { ready: true, checks: { broker: 'ok' } };
  const waiting = { ready: false, checks: { broker: 'not connected' } };
  const services = () => ({ gateway: { ready: () => well }, email: { ready: () => waiting } });
  app = await runApp({ stopping: AbortSignal.abort(), services });
  const health = await fetch(`${app.url}/healthz`);
  expect(health.status).toBe(200);
  const ready = await fetch(`${app.url}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toEqual({ ready: false, services: { gateway: well, email: waiting } });
});

it('is not healthy when only a restart can help one of the services', async () => {
  const email = { ready: () => ({ ready: true, checks: {} }), healthy: () => false };
  app = await runApp({ services: () => ({ email }) });
  expect((await fetch(`${app.url}/healthz`)).status).toBe(503);
});

it('answers HEAD without a body', async () => {
  app = await runApp();
  const response = await fetch(`${app.url}/readyz`, { method: 'HEAD' });
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('');
});

it('shows metrics in the exposition format', async () => {
  app = await runApp({ metrics: createMetrics({ service: 'gateway', version: '1.2.3' }) });
  const response = await fetch(`${app.url}/metrics`);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(await response.text()).toContain('# TYPE process_cpu_seconds_total counter');
});

it('has no metrics where they have a port of their own', async () => {
  app = await runApp();
  expect((await fetch(`${app.url}/metrics`)).status).toBe(404);
});
