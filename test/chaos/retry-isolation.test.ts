import { type Job, newJobId, RetryAfterError } from '@warren/contracts';
import { type PrivateNode, startPrivateNode } from '@warren/local-broker';
import { eventually, type Installation, install } from '@warren/testing';
import { handle } from '@warren/worker';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { probe, stuckProbe } from './fixtures/probe-job.ts';
import { Bell } from './support/bell.ts';
import { noPrivateNode } from './support/private-roots.ts';

const TIER = { name: '1s' };
const DELAY_MS = 1_000;
/** Lateness that a slow machine may add; what is tested for would add 30 s or last for ever. */
const SLACK_MS = 10_000;
const OVERLOAD = 2_000;

describe.skipIf(noPrivateNode)('a retry that is due in a second', () => {
  let node: PrivateNode;
  let installation: Installation;
  let tier: string;
  beforeAll(async () => {
    node = await startPrivateNode();
  });
  afterAll(async () => node?.stop());
  beforeEach(async () => {
    installation = await install([probe, stuckProbe], { url: node.url });
    await installation
      .connect()
      .then((jobs) => eventually('declared', () => jobs.readiness().ready));
    tier = installation.topology.names.retry(TIER);
  });
  afterEach(() => installation.dispose());

  it('does not wait for one of 30 s that was placed before it', async () => {
    const { admin, topology } = installation;
    const longTier = topology.names.retry({ name: '30s' });
    const { waitMs } = await retryOnce(async (fail) => {
      await fail(30_000);
      await eventually('the long retry waits', async () => (await admin.depth(longTier)) === 1);
    });
    expect(waitMs).toBeLessThan(DELAY_MS + SLACK_MS);
    expect(await admin.depth(longTier), 'the long one still waits').toBe(1);
  });

  it('does not wait for one whose queue is gone', async () => {
    const { admin, topology } = installation;
    const gone = topology.names.workQueue(stuckProbe.type);
    const { waitMs } = await retryOnce(async () => {
      await admin.run((channel) => channel.deleteQueue(gone));
      await put(gone, { expiration: String(DELAY_MS) });
    });
    expect(waitMs).toBeLessThan(DELAY_MS + SLACK_MS);
    await untilTierIsEmpty();
    const { unroutable } = topology.names;
    await eventually('it is kept', async () => (await admin.depth(unroutable)) === 1);
  });

  it('does not wait for 2,000 whose queue has a consumer that is stuck', async () => {
    const { admin, topology } = installation;
    const stuck = topology.names.workQueue(stuckProbe.type);
    const options = { concurrency: 1, prefetch: 1 };
    const ended = new AbortController();
    const hang = () =>
      new Promise<void>((done) => ended.signal.addEventListener('abort', () => done()));
    await installation.work([handle(stuckProbe, hang, options)]);
    const { waitMs } = await retryOnce(async () => {
      const message = { expiration: String(DELAY_MS), messageId: newJobId() };
      await Promise.all(Array.from({ length: OVERLOAD / 100 }, () => putMany(stuck, 100, message)));
    });
    expect(waitMs).toBeLessThan(DELAY_MS + SLACK_MS);
    await untilTierIsEmpty();
    await eventually('all are due', async () => (await admin.depth(stuck)) === OVERLOAD - 1);
    ended.abort();
  });

  it.each([
    ['without a TTL', {}],
    ['with a TTL of an hour', { expiration: '3600000' }],
    ['with priority 9', { priority: 9, expiration: '3600000' }],
  ])('does not wait for a stray message of a foreign client %s', async (_, options) => {
    const { waitMs } = await retryOnce(() => put('nowhere', options));
    expect(waitMs).toBeLessThan(DELAY_MS + SLACK_MS);
    await untilTierIsEmpty();
  });

  /** Places `before`, then fails a job once with a retry after a second; resolves with how long it waited. */
  async function retryOnce(
    before: (fail: (delayMs: number) => Promise<void>) => Promise<void>,
  ): Promise<{ waitMs: number }> {
    const bell = new Bell();
    const failedAtMs = new Map<string, number>();
    let waitMs = -1;
    const run = ({ id, attempt, payload }: Job<{ delayMs?: number }>) => {
      if (attempt === 1) {
        failedAtMs.set(id, Date.now());
        throw new RetryAfterError(payload.delayMs ?? DELAY_MS);
      }
      waitMs = Date.now() - (failedAtMs.get(id) ?? 0);
      bell.ring();
    };
    await installation.work([handle(probe, run)]);
    const jobs = await installation.connect();
    // From then on nobody declares a queue that is deleted on purpose.
    await eventually('declared', () => jobs.readiness().ready);
    await before(async (delayMs) => void (await jobs.publish(probe, { delayMs })));
    await jobs.publish(probe, {});
    await bell.until('the retry ran', () => waitMs >= 0);
    return { waitMs };
  }

  function put(routingKey: string, options: object): Promise<void> {
    return installation.admin.publish(tier, routingKey, '{}', { persistent: true, ...options });
  }

  async function putMany(routingKey: string, count: number, options: object): Promise<void> {
    for (let sent = 0; sent < count; sent += 1) await put(routingKey, options);
  }

  async function untilTierIsEmpty(): Promise<void> {
    await eventually('the tier is empty', async () => (await installation.admin.depth(tier)) === 0);
  }
});
