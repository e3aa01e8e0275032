import { setTimeout as pause } from 'node:timers/promises';
import type { PrivateCluster, PrivateNode } from '@warren/local-broker';
import { eventually } from '@warren/testing';
import { stormJob } from '../fixtures/storm-job.ts';
import type { ChaosOptions } from '../support/command-line.ts';
import { seededRandom } from '../support/random.ts';
import { StormStage } from './storm-stage.ts';
import { type StormReport, weather } from './weather.ts';

/** Faults to the leader of the work queue; what is given back heals them. */
type LeaderFault = (cluster: PrivateCluster, leader: PrivateNode, lastsMs: number) => Promise<void>;

const FAULTS: Readonly<Record<string, LeaderFault>> = {
  'leader kill -9': async (_, leader, lastsMs) => {
    await leader.kill();
    await pause(lastsMs);
    await leader.restart();
  },
  'leader frozen': async (_, leader, lastsMs) => {
    try {
      await leader.pause();
      await pause(lastsMs);
    } finally {
      leader.resume();
    }
  },
  'leader cut off': async (cluster, leader, lastsMs) => {
    await cluster.isolate(leader);
    await pause(lastsMs).finally(() => cluster.rejoin(leader));
  },
};

/** A fault begins so long after the one before. */
const EVERY_MS = 20_000;
const LASTS_MS = { min: 2_000, max: 9_000 };
const WORKERS = 2;
const MAX_WORK_MS = 40;
const JOBS_PER_SECOND = 120;
const WHOLE_WITHIN_MS = 240_000;
const JOBS_SEED = 0x9e3779b9;
/** Every second fault is a kill. */
const KILLED = 0.5;

/** The report of a cluster's storm. */
export interface ClusterReport extends StormReport {
  /** How many members the work queue had, before and after. */
  readonly members: readonly [number, number];
}

/** Publishes while the leader of the work queue is killed, frozen and cut off; clients know all three hosts. */
export async function runCluster(
  cluster: PrivateCluster,
  options: ChaosOptions,
  print: (line: string) => void,
): Promise<ClusterReport> {
  const [admin = ''] = cluster.urls;
  const ways = { admin, publish: cluster.urls, work: cluster.urls };
  const stage = await StormStage.open(ways, {
    workers: WORKERS,
    maxWorkMs: MAX_WORK_MS,
    random: seededRandom(options.seed ^ JOBS_SEED),
  });
  const queue = stage.installation.topology.names.workQueue(stormJob.type);
  const membersNow = async () => (await cluster.placeOf(queue)).members.length;
  try {
    await Promise.all(cluster.nodes.map((node) => node.flushDeclarations()));
    const before = await membersNow();
    const report = await weather('cluster', stage, options, {
      broker: cluster.version,
      jobsPerSecond: JOBS_PER_SECOND,
      print,
      deleted: () => 0,
      makeFaults: (isOver, onFault) =>
        breakLeaders(
          { cluster, stage, queue, random: seededRandom(options.seed) },
          isOver,
          onFault,
        ),
    });
    const members = [before, await membersNow()] as const;
    return { ...report, members, clean: report.clean && members.every((count) => count === 3) };
  } finally {
    await stage.close();
  }
}

async function breakLeaders(
  on: {
    readonly cluster: PrivateCluster;
    readonly stage: StormStage;
    readonly queue: string;
    readonly random: () => number;
  },
  isOver: () => boolean,
  onFault: (name: string) => void,
): Promise<void> {
  const { cluster, stage, queue, random } = on;
  const [kill = '', ...others] = Object.keys(FAULTS);
  while (!isOver()) {
    const startedMs = Date.now();
    const name = random() < KILLED ? kill : (others[Math.floor(random() * others.length)] ?? kill);
    const lastsMs = Math.round(LASTS_MS.min + random() * (LASTS_MS.max - LASTS_MS.min));
    const { leader } = await cluster.placeOf(queue);
    onFault(name);
    await FAULTS[name]?.(cluster, leader, lastsMs);
    stage.troubles.ofBroker(startedMs, Date.now());
    await untilWhole(cluster, queue);
    await pause(Math.max(0, startedMs + EVERY_MS - Date.now()));
  }
}

/** Two of three must be there: nothing more is broken until all three are. */
async function untilWhole(cluster: PrivateCluster, queue: string): Promise<void> {
  await eventually('all nodes are there', () => cluster.isWhole(), WHOLE_WITHIN_MS);
  await eventually('the queue has a leader', () => cluster.placeOf(queue), WHOLE_WITHIN_MS);
}
