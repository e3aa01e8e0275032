import { newJobId } from '@warren/contracts';
import { type PrivateCluster, startPrivateCluster } from '@warren/local-broker';
import { anyJob, eventually, type Installation, install, Runs } from '@warren/testing';
import { handle } from '@warren/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noPrivateNode } from './support/private-roots.ts';

const job = anyJob('probe.run');
const START_MS = 360_000;
const PATIENCE_MS = 60_000;

describe.skipIf(noPrivateNode)('a cluster of three nodes', () => {
  let cluster: PrivateCluster;
  let here: Installation;
  beforeAll(async () => {
    cluster = await startPrivateCluster();
    here = await install([job], { url: cluster.urls[0] ?? '' });
  }, START_MS);
  afterAll(async () => cluster?.stop());

  it('holds each queue three times, and goes on when the leader is killed', async () => {
    const connection = { urls: cluster.urls };
    const runs = new Runs();
    await here.work([handle(job, (one) => runs.add(one))], { connection });
    const jobs = await here.connect({ connection });
    await jobs.publish(job, 'before');
    await runs.reach(1);
    const queue = here.topology.names.workQueue(job.type);
    const { leader, members } = await cluster.placeOf(queue);
    expect(new Set(members)).toEqual(new Set(cluster.nodes));
    await leader.kill();
    // What the dying leader was handed may be refused: then it is repeated with the same id, as the error says.
    const id = newJobId();
    const again = () => jobs.publish(job, 'after', { id, timeoutMs: PATIENCE_MS });
    await eventually('the queue has a new leader', again, PATIENCE_MS);
    await runs.reach(2, PATIENCE_MS);
    expect(new Set(runs.payloads)).toEqual(new Set(['before', 'after']));
    expect((await cluster.placeOf(queue)).leader).not.toBe(leader);
  });
});
