import { type PrivateNode, startPrivateNode } from '@warren/local-broker';
import { type Installation, install } from '@warren/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { probe } from './fixtures/probe-job.ts';
import { Journal } from './support/journal.ts';
import { noPrivateNode } from './support/private-roots.ts';
import { publishAll } from './support/publish-all.ts';
import { Supervisor } from './support/supervisor.ts';
import { WorkerChild } from './support/worker-child.ts';

const JOBS = 500;
const KILLS = 10;
const PROCESSES = 2;
const CONCURRENCY = 4;
const PREFETCH = 20;
/** So many jobs each process does before it is killed: a supervised process does not die in its first moment always. */
const JOBS_PER_LIFE = 25;

describe.skipIf(noPrivateNode)('worker processes that are killed in mid-job', () => {
  const journal = new Journal();
  let node: PrivateNode;
  let installation: Installation;
  let supervisors: Supervisor[] = [];
  beforeAll(async () => {
    node = await startPrivateNode();
    installation = await install([probe], { url: node.url });
  });
  afterAll(async () => {
    await Promise.all(supervisors.map((supervisor) => supervisor.stop('SIGKILL')));
    await installation?.dispose();
    await node?.stop();
  });

  it('lose nothing, repeat a bounded number of runs and give no job up', async () => {
    const { url, namespace, topology, admin } = installation;
    const ids = await publishAll(await installation.connect(), JOBS, { workMs: 20 });
    const options = {
      url,
      namespace,
      concurrency: CONCURRENCY,
      prefetch: PREFETCH,
      graceMs: 2_000,
    };
    supervisors = Array.from(
      { length: PROCESSES },
      () => new Supervisor(() => new WorkerChild(options, journal)),
    );
    await Promise.all(supervisors.map((one) => killRepeatedly(one, KILLS / PROCESSES)));
    expect(journal.missing(ids).length, 'killed under load').toBeGreaterThan(0);
    await journal.untilDone(ids, 60_000);
    expect(
      journal.started - JOBS,
      'a kill repeats at most what was in hand: the deliveries that were out to that process',
    ).toBeLessThanOrEqual(KILLS * (PREFETCH + 1));
    expect(journal.highestAttempt, 'a crash spends no attempt').toBe(1);
    expect(await admin.depth(topology.names.deadQueue(probe.type))).toBe(0);
    expect(await admin.depth(topology.names.unroutable)).toBe(0);
  });
});

async function killRepeatedly(supervisor: Supervisor, times: number): Promise<void> {
  for (let kill = 0; kill < times; kill += 1) {
    const { child } = supervisor;
    await child.until(
      `${JOBS_PER_LIFE} jobs done and one in hand`,
      () => child.ended >= JOBS_PER_LIFE && child.inHand > 0,
    );
    const { signal } = await child.end('SIGKILL');
    expect(signal).toBe('SIGKILL');
  }
}
