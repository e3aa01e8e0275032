import { setTimeout as pause } from 'node:timers/promises';
import type { PrivateNode } from '@warren/local-broker';
import { eventually } from '@warren/testing';
import { stormJob } from '../fixtures/storm-job.ts';
import type { FaultyProxy } from '../support/faulty-proxy.ts';
import type { StormStage } from './storm-stage.ts';

/** What faults are made to. */
export interface StormTarget {
  readonly node: PrivateNode;
  readonly publishWay: FaultyProxy;
  readonly workWay: FaultyProxy;
  readonly stage: StormStage;
  /** Messages that went with deleted queues so far. */
  deleted: number;
}

type Between = (minMs: number, maxMs: number) => number;

/** A fault lasts as long as its own call, and is healed then; how long is drawn. */
type Fault = (target: StormTarget, between: Between) => Promise<void>;

const RECOVERS_WITHIN_MS = 120_000;
const HOLDS_WITHIN_MS = 180_000;
const ROLLS_WITHIN_MS = 30_000;

const alarm =
  (set: 'setMemoryAlarm' | 'setDiskAlarm'): Fault =>
  async ({ node }, between) => {
    await node[set](true);
    await pause(between(500, 4_000)).finally(() => node[set](false));
  };

export const STORM_FAULTS = {
  'closed connections': async ({ node }, between) => {
    const intervalMs = between(100, 400);
    const closer = await node.closeConnectionsEvery(intervalMs, Math.ceil(10_000 / intervalMs));
    await pause(between(500, 3_000));
    await closer.stop();
  },
  'cut publishers': async ({ publishWay }) => publishWay.cut(),
  'cut workers': async ({ workWay }) => workWay.cut(),
  'slow network': async ({ publishWay, workWay }, between) => {
    const byMs = between(20, 300);
    for (const way of [publishWay, workWay]) way.delay(byMs);
    await pause(between(2_000, 6_000));
    for (const way of [publishWay, workWay]) way.delay(0);
  },
  'half-open publishers': async ({ publishWay }, between) => {
    publishWay.swallow();
    await pause(between(1_000, 12_000));
  },
  'half-open workers': async ({ workWay }, between) => {
    workWay.swallow();
    await pause(between(1_000, 12_000));
  },
  restart: ({ node }) => node.restart('stop'),
  'kill -9': ({ node }) => node.restart('kill'),
  SIGSTOP: async ({ node }, between) => {
    const pausedMs = between(500, 12_000);
    try {
      await node.pause();
      await pause(pausedMs);
    } finally {
      node.resume();
    }
  },
  'memory alarm': alarm('setMemoryAlarm'),
  'disk alarm': alarm('setDiskAlarm'),
  'delete work queue': (target) => deleteWorkQueue(target),
  'delete exchange': async ({ stage, node }) => {
    const { names } = stage.installation.topology;
    await stage.asAdmin((admin) => admin.run((channel) => channel.deleteExchange(names.jobs)));
    await untilRouted(stage, node);
  },
  'delete binding': async ({ stage, node }) => {
    const { names } = stage.installation.topology;
    const queue = names.workQueue(stormJob.type);
    await stage.asAdmin((admin) =>
      admin.run((channel) => channel.unbindQueue(queue, names.jobs, stormJob.type)),
    );
    await untilRouted(stage, node);
  },
  'worker kill -9': async ({ stage }, between) => {
    const { slots } = stage.crew;
    await stage.crew.kill(slots[between(0, slots.length - 1)] ?? '');
  },
  'rolling restart': async ({ stage }) => {
    for (const slot of stage.crew.slots) await stage.crew.roll(slot, ROLLS_WITHIN_MS);
  },
} satisfies Record<string, Fault>;

/** Names of the faults, as the report counts them. */
export type StormFault = keyof typeof STORM_FAULTS;

/**
 * What a deleted queue holds is lost by whoever deletes it, and so is what of it is in hand. So that no loss of the kit's
 * can hide behind that, it is deleted when there is no job at all: nothing is published until it is gone, and all is
 * waited for before. What the broker says it held all the same is counted.
 */
async function deleteWorkQueue(target: StormTarget): Promise<void> {
  const { stage, node } = target;
  const queue = stage.installation.topology.names.workQueue(stormJob.type);
  const release = await stage.publishers.hold(HOLDS_WITHIN_MS);
  try {
    target.deleted += await stage.asAdmin(async (admin) => {
      await eventually('no job is left', () => isAtRest(target), HOLDS_WITHIN_MS);
      const { messageCount } = await admin.run((channel) => channel.deleteQueue(queue));
      return messageCount;
    });
  } finally {
    release();
  }
  await untilRouted(stage, node);
}

/** Nothing waits, in queues or tiers, and nothing is in hand: what has ended may not be settled yet. */
async function isAtRest({ stage, node }: StormTarget): Promise<boolean> {
  if (stage.ledger.missing > 0 || (await stage.waiting()) > 0) return false;
  return (await node.eval(UNACKNOWLEDGED)) === '0';
}

/** Deliveries that are out, of all queues. */
const UNACKNOWLEDGED = `lists:sum([N || Q <- rabbit_amqqueue:list(),
  {_, N} <- rabbit_amqqueue:info(Q, [messages_unacknowledged])]).`;

/** Resolves when jobs are accepted again, by a queue that would survive a kill of the node. */
async function untilRouted(stage: StormStage, node: PrivateNode): Promise<void> {
  const { accepted } = stage.ledger;
  const isRouted = () => stage.ledger.accepted > accepted;
  await eventually('jobs are accepted again', isRouted, RECOVERS_WITHIN_MS);
  await node.flushDeclarations();
}
