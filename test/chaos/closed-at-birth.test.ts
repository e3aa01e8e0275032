import { type Installation, install, sharedBrokerUrl } from '@warren/testing';
import { handle } from '@warren/worker';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { probe } from './fixtures/probe-job.ts';
import { Bell } from './support/bell.ts';
import { type ClosingProxy, startClosingProxy } from './support/closing-proxy.ts';

/** The worker's two connections and the client's one. */
const CONNECTIONS = 3;

describe('a connection that the broker closes as it is opened', () => {
  let proxy: ClosingProxy;
  let installation: Installation;
  beforeEach(async () => {
    installation = await install([probe]);
    proxy = await startClosingProxy(new URL(sharedBrokerUrl()), 2 * CONNECTIONS);
  });
  afterEach(async () => {
    await installation.dispose();
    proxy.stop();
  });

  it('is replaced, both to consume and to publish', async () => {
    const url = new URL(sharedBrokerUrl());
    url.port = String(proxy.port);
    const connection = { urls: [url.href] };
    const handled = new Bell();
    let runs = 0;
    const run = () => {
      runs += 1;
      handled.ring();
    };
    await installation.work([handle(probe, run)], { connection });
    const jobs = await installation.connect({ connection });
    await jobs.publish(probe, {}, { timeoutMs: 30_000 });
    await handled.until('the job ran', () => runs > 0);
    expect(proxy.closed).toBe(2 * CONNECTIONS);
  });
});
