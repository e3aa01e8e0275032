import { setTimeout as pause } from 'node:timers/promises';
import type { PrivateNode } from '@warren/local-broker';
import type { ChaosOptions } from '../support/command-line.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { seededRandom } from '../support/random.ts';
import { STORM_FAULTS, type StormFault, type StormTarget } from './storm-faults.ts';
import { StormStage } from './storm-stage.ts';
import { type StormReport, weather } from './weather.ts';

const WORKERS = 2;
const MAX_WORK_MS = 40;
const JOBS_PER_SECOND = 120;
const QUIET_MS = { min: 300, max: 2_500 };
/** The order of the faults does not depend on how many jobs were drawn meanwhile. */
const JOBS_SEED = 0x9e3779b9;
/** A worker is killed beside another fault now and then. */
const ALSO_KILLED = 0.25;
/** What the broker does over again what it did before. */
const OF_BROKER = new Set<StormFault>(['restart', 'kill -9', 'SIGSTOP']);

/** Publishes under every fault that is known for a while, lets all come to its end, and adds up. */
export async function runStorm(
  node: PrivateNode,
  options: ChaosOptions,
  print: (line: string) => void,
): Promise<StormReport> {
  const publishWay = await startFaultyProxy(node.url);
  const workWay = await startFaultyProxy(node.url);
  const ways = { admin: node.url, publish: [publishWay.url], work: [workWay.url] };
  const stage = await StormStage.open(ways, {
    workers: WORKERS,
    maxWorkMs: MAX_WORK_MS,
    random: seededRandom(options.seed ^ JOBS_SEED),
  });
  const target: StormTarget = { node, publishWay, workWay, stage, deleted: 0 };
  try {
    await node.flushDeclarations();
    return await weather('storm', stage, options, {
      broker: node.version,
      jobsPerSecond: JOBS_PER_SECOND,
      print,
      deleted: () => target.deleted,
      makeFaults: (isOver, onFault) => storm(target, seededRandom(options.seed), isOver, onFault),
    });
  } finally {
    await stage.close();
    for (const way of [publishWay, workWay]) way.stop();
  }
}

/** In rounds: each fault once in a round, in random order. */
async function storm(
  target: StormTarget,
  random: () => number,
  isOver: () => boolean,
  onFault: (name: string) => void,
): Promise<void> {
  const between = (min: number, max: number) => Math.round(min + random() * (max - min));
  for (const name of rounds(random)) {
    const quietMs = between(QUIET_MS.min, QUIET_MS.max);
    const alsoKilled = random() < ALSO_KILLED;
    await pause(quietMs);
    if (isOver()) return;
    onFault(name);
    const fromMs = Date.now();
    const beside = alsoKilled ? alsoKill(target, between, onFault) : undefined;
    await STORM_FAULTS[name](target, between);
    await beside;
    if (OF_BROKER.has(name)) target.stage.troubles.ofBroker(fromMs, Date.now());
  }
}

async function alsoKill(
  target: StormTarget,
  between: (min: number, max: number) => number,
  onFault: (name: string) => void,
): Promise<void> {
  onFault('worker kill -9');
  await STORM_FAULTS['worker kill -9'](target, between);
}

function* rounds(random: () => number): Generator<StormFault, never> {
  for (;;) {
    const left = Object.keys(STORM_FAULTS) as StormFault[];
    while (left.length > 0) yield* left.splice(Math.floor(random() * left.length), 1);
  }
}
