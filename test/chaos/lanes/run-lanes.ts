import { setTimeout as pause } from 'node:timers/promises';
import type { Jobs } from '@warren/client';
import { type Job, LANES, type Lane } from '@warren/contracts';
import type { PrivateNode } from '@warren/local-broker';
import { anyJob, eventually, install } from '@warren/testing';
import { handle } from '@warren/worker';
import type { ChaosOptions } from '../support/command-line.ts';
import { LaneCount, type LaneFigures } from './lane-count.ts';

/** The last line of `npm run chaos -- --scenario lanes`. */
export interface LanesReport extends ChaosOptions {
  readonly scenario: 'lanes';
  readonly broker: string;
  readonly handlerMs: number;
  /** While all three lanes always have work waiting. */
  readonly full: LaneFigures;
  /** While urgent jobs come at a rate that is below what the slots can do, and the other lanes always have work. */
  readonly urgent: LaneFigures;
  /** Lanes got their shares, and urgent jobs did not wait for long. */
  readonly clean: boolean;
}

const job = anyJob('chaos.lanes', { lanes: true, timeout: '10s' });
const CONCURRENCY = 4;
const HANDLER_MS = 50;
/** The documented weights. */
const SHARES: Readonly<Record<Lane, number>> = { high: 0.6, normal: 0.3, low: 0.1 };
/** A lane that has always work may be so much below its share: starts are counted, and windows run empty for a moment. */
const SHARE_TOLERANCE = 0.9;
/** A free slot comes up within a handler's length; a busy machine takes longer about it, so this is of the median. */
const MAX_WAIT_HANDLERS = 4;
const BACKLOG = 200;
const TICK_MS = 20;
/** Half of what the slots can do. */
const URGENT_EVERY_MS = HANDLER_MS / CONCURRENCY / 0.5;
const SETTLES_MS = 3_000;
const EMPTIES_WITHIN_MS = 300_000;

/** Constant load on the high lane: first more than can be done, then less; the other lanes always have work. */
export async function runLanes(
  node: PrivateNode,
  { seconds, seed }: ChaosOptions,
  print: (line: string) => void,
): Promise<LanesReport> {
  const here = await install([job], { url: node.url });
  const count = new LaneCount();
  try {
    const run = async ({ payload, publishedAtMs = Date.now() }: Job) => {
      count.start(payload as Lane, Date.now() - publishedAtMs);
      await pause(HANDLER_MS);
    };
    await here.work([handle(job, run, { concurrency: CONCURRENCY })]);
    const jobs = await here.connect();
    const load = new Load(jobs, count);
    const halfMs = (seconds * 1_000) / 2;
    const full = await load.during(halfMs, { always: LANES });
    print(`all lanes full: ${JSON.stringify(full)}`);
    // Urgent jobs that come now would wait for those that are there.
    await eventually(
      'the high lane is empty',
      () => count.waiting('high') === 0,
      EMPTIES_WITHIN_MS,
    );
    const others = { always: ['normal', 'low'], highEveryMs: URGENT_EVERY_MS } as const;
    const urgent = await load.during(halfMs, others);
    print(`urgent jobs at half the rate: ${JSON.stringify(urgent)}`);
    const fair = LANES.every((lane) => full.shares[lane] >= SHARES[lane] * SHARE_TOLERANCE);
    const prompt = urgent.waitMs.high.median <= MAX_WAIT_HANDLERS * HANDLER_MS;
    const lowGoesOn = urgent.shares.low >= SHARES.low * SHARE_TOLERANCE;
    return {
      scenario: 'lanes',
      seconds,
      seed,
      broker: node.version,
      handlerMs: HANDLER_MS,
      full,
      urgent,
      clean: fair && prompt && lowGoesOn,
    };
  } finally {
    await here.dispose();
  }
}

/** Publishes as much as it takes. */
class Load {
  readonly #jobs: Jobs;
  readonly #count: LaneCount;

  constructor(jobs: Jobs, count: LaneCount) {
    this.#jobs = jobs;
    this.#count = count;
  }

  /** Keeps `always` from running empty, and publishes urgent jobs at their pace; what starts in the first seconds is not counted. */
  async during(
    ms: number,
    { always, highEveryMs }: { always: readonly Lane[]; highEveryMs?: number },
  ): Promise<LaneFigures> {
    const beganMs = performance.now();
    const since = () => performance.now() - beganMs;
    let isCounted = false;
    let urgent = 0;
    while (since() < ms) {
      if (!isCounted && since() > Math.min(SETTLES_MS, ms / 3)) {
        isCounted = true;
        this.#count.reset();
      }
      for (const lane of always) await this.#publish(lane, BACKLOG - this.#count.waiting(lane));
      if (highEveryMs !== undefined) {
        const due = Math.floor(since() / highEveryMs) - urgent;
        urgent += due;
        await this.#publish('high', due);
      }
      await pause(TICK_MS);
    }
    return this.#count.figures();
  }

  async #publish(lane: Lane, count: number): Promise<void> {
    const published = Array.from({ length: Math.max(0, count) }, async () => {
      this.#count.publish(lane);
      await this.#jobs.publish(job, lane, { lane });
    });
    await Promise.all(published);
  }
}
