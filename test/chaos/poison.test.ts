import { type PrivateNode, startPrivateNode } from '@warren/local-broker';
import { eventually, type Installation, install } from '@warren/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Probe, probe } from './fixtures/probe-job.ts';
import { deadReasons } from './support/dead-letters.ts';
import { Journal } from './support/journal.ts';
import { noPrivateNode } from './support/private-roots.ts';
import { publishAll } from './support/publish-all.ts';
import { Supervisor } from './support/supervisor.ts';
import { WorkerChild } from './support/worker-child.ts';

const NEIGHBOURS = 50;
/** Two runs among others make it a suspect; three alone make it poison. */
const MAX_RUNS = 5;
/** The heap of a process that is to run out of memory soon. */
const SMALL_HEAP = '--max-old-space-size=64';

const deaths: readonly { dieBy: NonNullable<Probe['dieBy']>; flags: readonly string[] }[] = [
  { dieBy: 'kill', flags: [] },
  { dieBy: 'memory', flags: [SMALL_HEAP] },
];

describe.skipIf(noPrivateNode)('a job that ends its own process', () => {
  let node: PrivateNode;
  let installation: Installation;
  let supervisor: Supervisor | undefined;
  beforeAll(async () => {
    node = await startPrivateNode();
  });
  afterAll(async () => node?.stop());
  beforeEach(async () => {
    installation = await install([probe], { url: node.url });
  });
  afterEach(async () => {
    await supervisor?.stop('SIGKILL');
    await installation.dispose();
  });

  it.each(deaths)('by $dieBy becomes a dead letter; its 50 neighbours succeed', async (death) => {
    const { dieBy, flags } = death;
    const journal = new Journal();
    const jobs = await installation.connect();
    const before = await publishAll(jobs, NEIGHBOURS / 2, { workMs: 20 });
    const [killer] = (await publishAll(jobs, 1, { workMs: 10, dieBy })) as [string];
    const after = await publishAll(jobs, NEIGHBOURS / 2, { workMs: 20 });
    const { url, namespace, topology, admin } = installation;
    const options = { url, namespace, concurrency: 10, prefetch: 30, graceMs: 2_000 };
    supervisor = new Supervisor(() => new WorkerChild(options, journal, flags));
    await journal.untilDone([...before, ...after], 60_000);
    const deadQueue = topology.names.deadQueue(probe.type);
    await eventually('a dead letter', async () => (await admin.depth(deadQueue)) === 1, 60_000);
    expect(await deadReasons(installation)).toEqual({ [killer]: 'poison' });
    const runs = journal.of(killer);
    expect(runs.ended).toBe(0);
    expect(runs.started).toBeGreaterThanOrEqual(3);
    expect(runs.started, 'the number of its runs is bounded').toBeLessThanOrEqual(MAX_RUNS);
    expect(supervisor.exits.length, 'no other job ended a process').toBe(runs.started);
    expect(journal.highestAttempt).toBe(1);
  });
});
