import type { ExchangeSpec, QueueSpec, Topology } from '@warren/topology';
import type { ChannelModel } from 'amqplib';
import { declareStep, lookAtStep } from './declare.ts';
import { explainMismatch } from './mismatch.ts';
import { onQuietChannel, replyCodeOf } from './quiet-channel.ts';

/** A queue or exchange that is not at the broker as the topology has it. */
export interface TopologyDifference {
  readonly kind: 'missing' | 'mismatch';
  readonly what: 'queue' | 'exchange';
  readonly name: string;
  /** A sentence: which argument, both values and what to do. Only for a mismatch. */
  readonly detail?: string;
}

/**
 * What of a topology is missing at the broker or has other arguments there, in the topology's order. Creates nothing: each
 * thing is looked for first, and declared, to compare the arguments, only where it exists. Bindings cannot be seen over AMQP.
 */
export async function compareTopology(
  connection: ChannelModel,
  topology: Pick<Topology, 'steps'>,
): Promise<TopologyDifference[]> {
  const differences: TopologyDifference[] = [];
  for (const step of topology.steps) {
    if (step.kind === 'binding') continue;
    const difference = await differenceOf(connection, step);
    if (difference) differences.push(difference);
  }
  return differences;
}

async function differenceOf(
  connection: ChannelModel,
  step: ExchangeSpec | QueueSpec,
): Promise<TopologyDifference | undefined> {
  const { kind: what, name } = step;
  try {
    await onQuietChannel(connection, async (channel) => {
      await lookAtStep(channel, step);
      await declareStep(channel, step);
    });
    return undefined;
  } catch (error) {
    const code = replyCodeOf(error);
    if (code === 404) return { kind: 'missing', what, name };
    const { message } = error as Error;
    // 405: it belongs to one connection alone, as no queue of the kit does.
    if (code !== 406 && code !== 405) throw error;
    return { kind: 'mismatch', what, name, detail: explainMismatch(message) ?? message };
  }
}
