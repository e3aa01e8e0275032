import { TopologyMismatchError } from '@warren/contracts';
import type { Topology, TopologyStep } from '@warren/topology';
import type { Channel, ChannelModel } from 'amqplib';
import { explainMismatch, isOtherRetention } from './mismatch.ts';
import { queueFigures } from './queue-figures.ts';
import { onQuietChannel, quietChannel, replyCodeOf } from './quiet-channel.ts';

/** AMQP's reply codes. */
const REFUSED = 403;
const MISSING = 404;
const LOCKED = 405;
const OTHER = 406;

/**
 * Declares a topology, in its order. What exists as it should be is left alone. A queue or exchange that exists with
 * other arguments, or belongs to another connection alone, is skipped and all others are still declared, so that one such
 * queue does not stop the rest. Is it being migrated, its bindings are skipped too: what comes is led elsewhere. A stream keeps
 * the bounds that it has.
 *
 * A user who may not declare all of it is a service with few rights: from the first refusal on, nothing is declared and it is
 * only looked whether exchanges and queues are there. Bindings cannot be seen.
 * @throws TopologyMismatchError naming each queue, argument, both values and what to do; or what is missing
 */
export async function declareTopology(
  connection: ChannelModel,
  topology: Pick<Topology, 'steps' | 'names'>,
): Promise<void> {
  const problems: string[] = [];
  const migrating = new Set<string>();
  let channel = await quietChannel(connection);
  let mayDeclare = true;
  for (const step of topology.steps) {
    if (step.kind === 'binding' && migrating.has(step.queue)) continue;
    try {
      if (mayDeclare) await declareStep(channel, step);
      else await lookAtStep(channel, step);
    } catch (error) {
      channel = await quietChannel(connection);
      if (mayDeclare && replyCodeOf(error) === REFUSED) {
        mayDeclare = false;
        const refused = await onQuietChannel(connection, (look) => lookAtStep(look, step)).catch(
          (cause: unknown) => cause,
        );
        if (refused !== undefined) noteProblem(problems, refused, step);
      } else noteProblem(problems, error, step);
      if (step.kind === 'queue' && replyCodeOf(error) === OTHER) {
        const holding = topology.names.holdingQueue(step.name);
        if ((await queueFigures(connection, [holding])).get(holding)) migrating.add(step.name);
      }
    }
  }
  await channel.close();
  if (problems.length > 0) throw new TopologyMismatchError(problems.join('\n'));
}

/** What was wrong with one step; what has nothing to do with the step is thrown. */
function noteProblem(problems: string[], error: unknown, step: TopologyStep): void {
  const code = replyCodeOf(error);
  const { message } = error as Error;
  if (code === OTHER) {
    // A stream with the bounds that it was made with serves as well: no reason to call the process unready.
    if (!isOtherRetention(message)) problems.push(explainMismatch(message) ?? message);
  } else if (step.kind === 'binding' && (code === MISSING || code === LOCKED)) {
    // Told of its queue or exchange already, unless that went away just now.
    if (problems.length === 0) problems.push(message);
  } else if (step.kind !== 'binding' && code === MISSING) {
    problems.push(
      `${step.kind} ${step.name} is missing, and this user may not declare it: npx warren topology apply`,
    );
  } else if (code === LOCKED) problems.push(message);
  else if (code !== REFUSED) throw error;
  // Whoever may not even look at it has no use for it.
}

/** Whether it is there, with whatever arguments. Of a binding nothing can be seen. */
export async function lookAtStep(channel: Channel, step: TopologyStep): Promise<void> {
  if (step.kind === 'queue') await channel.checkQueue(step.name);
  else if (step.kind === 'exchange') await channel.checkExchange(step.name);
}

/** Declares one thing. A refused declaration closes the channel. */
export async function declareStep(channel: Channel, step: TopologyStep): Promise<void> {
  switch (step.kind) {
    case 'exchange':
      await channel.assertExchange(step.name, step.type, {
        durable: true,
        arguments: step.arguments,
      });
      return;
    case 'queue':
      await channel.assertQueue(step.name, { durable: true, arguments: step.arguments });
      return;
    case 'binding':
      await channel.bindQueue(step.queue, step.exchange, step.routingKey);
  }
}
