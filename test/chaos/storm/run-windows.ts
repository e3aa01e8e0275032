import { setTimeout as pause } from 'node:timers/promises';
import type { PrivateNode } from '@warren/local-broker';
import type { ChaosOptions } from '../support/command-line.ts';
import { seededRandom } from '../support/random.ts';
import { StormStage } from './storm-stage.ts';
import { type StormReport, weather } from './weather.ts';

const RECONNECTS = 200;
const RESTARTS = 20;
const EVERY_MS = 500;
const ROLLS_WITHIN_MS = 60_000;
const WORKERS = 2;
/** Slow, and more than are done at once: so the window of each worker is always full. */
const MAX_WORK_MS = 400;
const JOBS_PER_SECOND = 60;
const JOBS_SEED = 0x9e3779b9;

/**
 * A process knows which losses it survived, and the one that takes its place does not: a job that two processes lost is run
 * apart by a third, and done. So few may go that way.
 */
const MAX_SUSPECTED_SHARE = 0.001;

/** The report of this storm. */
export interface WindowsReport extends StormReport {
  /** Jobs that were run apart from others, although none ends a process here. None may be given up. */
  readonly suspected: number;
}

/**
 * Connections are closed 200 times and workers replaced 20 times, at least, while jobs wait in their windows. Clean if no
 * job was given up for it, and hardly one was run apart.
 */
export async function runWindows(
  node: PrivateNode,
  options: ChaosOptions,
  print: (line: string) => void,
): Promise<WindowsReport> {
  const ways = { admin: node.url, publish: [node.url], work: [node.url] };
  const random = seededRandom(options.seed ^ JOBS_SEED);
  const stage = await StormStage.open(ways, { workers: WORKERS, maxWorkMs: MAX_WORK_MS, random });
  try {
    const report = await weather('windows', stage, options, {
      broker: node.version,
      jobsPerSecond: JOBS_PER_SECOND,
      print,
      deleted: () => 0,
      makeFaults: (isOver, onFault) => disturb(node, stage, isOver, onFault),
    });
    const suspected = stage.troubles.counts['suspect'] ?? 0;
    const isFew = suspected <= report.accepted * MAX_SUSPECTED_SHARE;
    return { ...report, suspected, clean: report.clean && isFew };
  } finally {
    await stage.close();
  }
}

async function disturb(
  node: PrivateNode,
  stage: StormStage,
  isOver: () => boolean,
  onFault: (name: string) => void,
): Promise<void> {
  for (let closed = 0; closed < RECONNECTS || !isOver(); closed += 1) {
    await pause(EVERY_MS);
    onFault('closed connections');
    await node.closeAllConnections('closed on purpose');
    if (closed % (RECONNECTS / RESTARTS) !== 0) continue;
    onFault('rolling restart');
    const { slots } = stage.crew;
    await stage.crew.roll(slots[(closed / 10) % slots.length] ?? '', ROLLS_WITHIN_MS);
  }
}
