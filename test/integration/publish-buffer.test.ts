import { setImmediate as turn } from 'node:timers/promises';
import { type ConnectJobsOptions, connectJobs, type Jobs } from '@warren/client';
import { canStartPrivateNode, startPrivateNode } from '@warren/local-broker';
import {
  anyJob,
  endingOf,
  endingsOf,
  eventually,
  metricValue,
  quietTelemetry,
} from '@warren/testing';
import { afterEach, describe, expect, it } from 'vitest';

const MIB = 1024 * 1024;
const job = anyJob('probe.run');
/** Nothing listens at the discard port. */
const NOWHERE = 'amqp://127.0.0.1:9';

const clients: Jobs[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

async function connect(options: Partial<ConnectJobsOptions> = {}) {
  const telemetry = quietTelemetry();
  const jobs = await connectJobs({
    connection: { urls: [NOWHERE] },
    service: 'test',
    jobs: [job],
    ...telemetry,
    ...options,
  });
  clients.push(jobs);
  const buffered = () => metricValue(telemetry.metrics, 'jobs_publish_buffered');
  return { jobs, buffered, lines: telemetry.lines };
}

describe('while there is no broker', () => {
  it('says so, naming the address, after the time that a publish may wait', async () => {
    const { jobs } = await connect({ publish: { maxWaitMs: 200 } });
    await expect(jobs.publish(job, 1)).rejects.toMatchObject({
      code: 'BROKER_UNAVAILABLE',
      message: expect.stringMatching(/127\.0\.0\.1:9.*refused/),
    });
    expect(jobs.readiness()).toMatchObject({
      ready: false,
      checks: { broker: expect.stringContaining('127.0.0.1:9') },
    });
  });

  it('refuses at once when nothing may wait', async () => {
    const { jobs, buffered } = await connect({ publish: { maxWaitMs: 0 } });
    expect(await endingOf(jobs.publish(job, 1))).toBe('BROKER_UNAVAILABLE');
    expect(await buffered()).toBe(0);
  });

  it('lets wait no more jobs than allowed', async () => {
    const buffer = { maxMessages: 100, maxBytes: MIB };
    const { jobs, buffered } = await connect({ publish: { maxWaitMs: 500, buffer } });
    const publishing = Array.from({ length: 150 }, (_, n) => jobs.publish(job, n));
    const endings = endingsOf(publishing);
    expect(await buffered()).toBe(100);
    expect(await endings).toEqual({ BROKER_UNAVAILABLE: 100, PUBLISH_BUFFER_FULL: 50 });
    expect(await buffered()).toBe(0);
  });

  it('lets wait no more bytes than allowed, and takes jobs again when there is room', async () => {
    const buffer = { maxMessages: 1_000, maxBytes: MIB };
    const { jobs } = await connect({ publish: { maxWaitMs: 500, buffer } });
    const half = 'x'.repeat(MIB / 2 - 100);
    const big = [half, half, half, 'small'].map((payload) => jobs.publish(job, payload));
    expect(await Promise.all(big.map(endingOf))).toEqual([
      'BROKER_UNAVAILABLE',
      'BROKER_UNAVAILABLE',
      'PUBLISH_BUFFER_FULL',
      'BROKER_UNAVAILABLE',
    ]);
    expect(await endingOf(jobs.publish(job, half))).toBe('BROKER_UNAVAILABLE');
  });

  it('counts headers too, which may be larger than the payload', async () => {
    const buffer = { maxMessages: 1_000, maxBytes: 100_000 };
    const { jobs } = await connect({ publish: { maxWaitMs: 200, buffer } });
    const headers = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [`h${n}`, 'x'.repeat(1_000)]),
    );
    const publishing = Array.from({ length: 10 }, () => jobs.publish(job, 1, { headers }));
    const { PUBLISH_BUFFER_FULL: refused } = await endingsOf(publishing);
    expect(refused).toBeGreaterThanOrEqual(5);
  });

  it('keeps its memory within bounds while far more is published', async () => {
    const buffer = { maxMessages: 100_000, maxBytes: 16 * MIB };
    const { jobs } = await connect({ publish: { maxWaitMs: 500, buffer } });
    const payload = 'x'.repeat(50_000);
    const before = process.memoryUsage().rss;
    let highest = 0;
    const endings: Promise<string>[] = [];
    while (endings.length < 8_000) {
      endings.push(endingOf(jobs.publish(job, payload)));
      if (endings.length % 500 > 0) continue;
      await turn();
      highest = Math.max(highest, process.memoryUsage().rss);
    }
    expect(new Set(await Promise.all(endings))).toContain('PUBLISH_BUFFER_FULL');
    expect(highest - before).toBeLessThan(200 * MIB);
  });

  it('has many that are published at once wait until there is room for them', async () => {
    const buffer = { maxMessages: 1_000, maxBytes: MIB };
    const { jobs, buffered } = await connect({ publish: { maxWaitMs: 200, buffer } });
    const payloads = Array.from({ length: 12 }, () => 'x'.repeat(MIB / 4));
    const endings: unknown[] = [];
    let most = 0;
    for await (const result of jobs.publishMany(job, payloads)) {
      endings.push('error' in result && 'code' in result.error && result.error.code);
      most = Math.max(most, await buffered());
    }
    expect(endings).toEqual(payloads.map(() => 'BROKER_UNAVAILABLE'));
    // The last one that was taken may be more than there was room for.
    expect(most).toBeLessThanOrEqual(4);
  });

  it('ends a close in bounded time, and answers what waited', async () => {
    const { jobs } = await connect({ publish: { maxWaitMs: 300 } });
    const waiting = endingOf(jobs.publish(job, 1));
    const startedAtMs = Date.now();
    const closing = jobs.close();
    expect(await endingOf(jobs.publish(job, 2))).toBe('SHUTTING_DOWN');
    await closing;
    expect(Date.now() - startedAtMs).toBeLessThan(5_000);
    expect(await waiting).toBe('BROKER_UNAVAILABLE');
  });

  it('measures no client that was closed: another one may use the same metrics', async () => {
    const { metrics } = quietTelemetry();
    const { jobs } = await connect({ metrics });
    await jobs.close();
    metrics.jobs_publish_buffered.set(7);
    expect(await metricValue(metrics, 'jobs_publish_buffered')).toBe(7);
  });
});

describe.skipIf(!canStartPrivateNode())('when the broker comes', () => {
  it('sends many large ones that are published at once, all of them', async () => {
    const node = await startPrivateNode();
    try {
      await node.kill();
      const buffer = { maxMessages: 1_000, maxBytes: 2 * MIB };
      const { jobs, lines } = await connect({
        connection: { urls: [node.url] },
        publish: { maxWaitMs: 60_000, timeoutMs: 60_000, buffer },
      });
      const results = jobs.publishMany(job, Array(40).fill('x'.repeat(MIB / 4)));
      const first = results.next();
      await eventually('it tried to connect', () => lines.length > 0);
      await node.restart();
      const told = [(await first).value];
      for await (const result of results) told.push(result);
      expect(told.filter((result) => result && 'error' in result)).toEqual([]);
      expect(told).toHaveLength(40);
    } finally {
      await node.stop();
    }
  });

  it('sends what waited and was sound; unsound jobs were refused before', async () => {
    const node = await startPrivateNode();
    try {
      await node.kill();
      const { jobs, lines } = await connect({
        connection: { urls: [node.url] },
        publish: { maxWaitMs: 60_000, timeoutMs: 60_000 },
      });
      const bad = { headers: { n: 10n } } as object;
      const publishing = [
        jobs.publish(job, 1),
        jobs.publish(job, 2, bad),
        jobs.publish(job, { n: 3n }),
        jobs.publish(job, 4),
      ].map(endingOf);
      await eventually('it tried to connect', () => lines.length > 0);
      expect(jobs.readiness().ready).toBe(false);
      await node.restart();
      const endings = await Promise.all(publishing);
      expect(endings).toEqual(['ok', 'HEADER_INVALID', 'PAYLOAD_INVALID', 'ok']);
      await eventually('it is ready', () => jobs.readiness().ready);
    } finally {
      await node.stop();
    }
  });
});
