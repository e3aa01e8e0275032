import { type PrivateNode, startPrivateNode } from '@warren/local-broker';
import { eventually, type Installation, install } from '@warren/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { probe } from './fixtures/probe-job.ts';
import { deadReasons } from './support/dead-letters.ts';
import { Journal } from './support/journal.ts';
import { noPrivateNode } from './support/private-roots.ts';
import { publishAll } from './support/publish-all.ts';
import { WorkerChild } from './support/worker-child.ts';

const HEARTBEAT_SECONDS = 1;
/** The broker gives a connection up after two missed heartbeats, and looks once per heartbeat. */
const BLOCK_MS = 4_000;

describe.skipIf(noPrivateNode)('a handler that blocks the event loop past the heartbeat', () => {
  const journal = new Journal();
  let node: PrivateNode;
  let installation: Installation;
  let worker: WorkerChild;
  beforeAll(async () => {
    node = await startPrivateNode();
  });
  afterAll(async () => node?.stop());
  beforeEach(async () => {
    installation = await install([probe], { url: node.url });
    const { url, namespace } = installation;
    worker = new WorkerChild(
      {
        url,
        namespace,
        concurrency: 2,
        prefetch: 4,
        graceMs: 1_000,
        heartbeatSeconds: HEARTBEAT_SECONDS,
      },
      journal,
    );
  });
  afterEach(async () => {
    await worker.end('SIGKILL');
    await installation.dispose();
  });

  it('loses its connection with a readable message, recovers, and its job is not lost', async () => {
    const jobs = await installation.connect();
    const [blocker] = await publishAll(jobs, 1, { blockMs: BLOCK_MS, once: true });
    await journal.until('it ran', () => journal.of(blocker as string).ended > 0);
    await worker.until('it lost its connection', () => lossesIn(worker).length > 0);
    expect(lossesIn(worker)[0]?.['reason']).toMatch(/heartbeats in time/i);
    const later = await publishAll(jobs, 20, {});
    await journal.untilDone(later, 30_000);
    await untilQueuesAreEmpty();
    expect(journal.of(blocker as string).ended).toBeLessThanOrEqual(2);
    expect(journal.highestAttempt).toBe(1);
    expect(await deadReasons(installation)).toEqual({});
  });

  it('ends as poison without multiplying when it blocks every time', async () => {
    const jobs = await installation.connect();
    const [blocker] = await publishAll(jobs, 1, { blockMs: BLOCK_MS });
    const { admin, topology } = installation;
    const dead = topology.names.deadQueue(probe.type);
    await eventually('it is a dead letter', async () => (await admin.depth(dead)) === 1, 90_000);
    await untilQueuesAreEmpty();
    expect(await admin.depth(dead)).toBe(1);
    expect(await deadReasons(installation)).toEqual({ [blocker as string]: 'poison' });
    const later = await publishAll(jobs, 20, {});
    await journal.untilDone(later, 30_000);
    expect(journal.of(blocker as string).ended).toBeLessThanOrEqual(8);
  });

  async function untilQueuesAreEmpty(): Promise<void> {
    const { admin, topology } = installation;
    const queues = topology.queues.filter(({ role }) => role === 'work' || role === 'suspect');
    await eventually('no job is left', async () => {
      const depths = await Promise.all(queues.map(({ name }) => admin.depth(name)));
      return depths.every((depth) => depth === 0);
    });
  }
});

function lossesIn(worker: WorkerChild): Record<string, unknown>[] {
  return worker.log
    .filter((line) => line.startsWith('{') && line.includes('lost the connection'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
