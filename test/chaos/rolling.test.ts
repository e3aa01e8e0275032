import { type PrivateNode, startPrivateNode } from '@warren/local-broker';
import { type Installation, install } from '@warren/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { probe } from './fixtures/probe-job.ts';
import { Journal } from './support/journal.ts';
import { noPrivateNode, privateRoots } from './support/private-roots.ts';
import { publishAll } from './support/publish-all.ts';
import { type Exit, WorkerChild } from './support/worker-child.ts';

const SHORT_JOBS = 145;
const SHORT_MS = 150;
/** Longer than the grace time, so that a restart interrupts them. */
const LONG_JOBS = 5;
const LONG_MS = 4_000;
const GRACE_MS = 1_500;
const RESTARTS = 5;
/** Grace, cancel grace, the last releases and the closing of connections, each bounded; and a slow machine. */
const EXIT_WITHIN_MS = GRACE_MS + 10_000;

describe.skipIf(noPrivateNode).each(privateRoots)('rolling restarts, RabbitMQ of %s', (root) => {
  const journal = new Journal();
  const running: WorkerChild[] = [];
  let node: PrivateNode;
  let installation: Installation;
  beforeAll(async () => {
    node = await startPrivateNode({ root });
    installation = await install([probe], { url: node.url });
  });
  afterAll(async () => {
    await Promise.all(running.map((child) => child.end('SIGKILL')));
    await installation?.dispose();
    await node?.stop();
  });

  it('finish every job, repeat only what outlasts the grace time, and spend nothing', async () => {
    const jobs = await installation.connect();
    const long = await publishAll(jobs, LONG_JOBS, { workMs: LONG_MS });
    const short = await publishAll(jobs, SHORT_JOBS, { workMs: SHORT_MS });
    running.push(startWorker(), startWorker());
    for (let restart = 0; restart < RESTARTS; restart += 1) {
      expect(await restartOldest()).toEqual({ code: 0, signal: null });
    }
    await journal.untilDone([...long, ...short], 60_000);
    expect(short.filter((id) => journal.of(id).started !== 1)).toEqual([]);
    expect(journal.highestAttempt, 'a restart spends no attempt').toBe(1);
    const { topology, admin } = installation;
    const { names } = topology;
    expect(journal.queues, 'no job became a suspect').toEqual([names.workQueue(probe.type)]);
    expect(await admin.depth(names.suspectQueue(probe.type))).toBe(0);
    expect(await admin.depth(names.deadQueue(probe.type))).toBe(0);
  });

  function startWorker(): WorkerChild {
    const { url, namespace } = installation;
    const options = { url, namespace, concurrency: 3, prefetch: 12, graceMs: GRACE_MS };
    return new WorkerChild(options, journal);
  }

  /** The next one is started first, as a rolling deployment does; then the oldest is told to go. */
  async function restartOldest(): Promise<Exit> {
    const [oldest] = running as [WorkerChild, ...WorkerChild[]];
    await oldest.untilBusy();
    running.push(startWorker());
    const startedMs = Date.now();
    const exit = await oldest.end('SIGTERM');
    expect(Date.now() - startedMs).toBeLessThan(EXIT_WITHIN_MS);
    running.shift();
    return exit;
  }
});
