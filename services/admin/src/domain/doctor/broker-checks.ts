import { isAtLeast } from '@warren/broker';
import { holdsBack, unheardText } from '../held-back.ts';
import type { DoctorFacts } from './facts.ts';
import { examined, type Finding, findings, listed, type Trouble } from './finding.ts';

/** Is it a RabbitMQ that Warren works with, and does it take messages? */
export function checkBroker({ version, blockedReason }: DoctorFacts): Finding[] {
  const troubles: Trouble[] = [];
  if (!isAtLeast(version, 3, 10)) {
    troubles.push({
      result: 'problem',
      finding: `RabbitMQ ${version ?? 'of unknown version'}: Warren needs 3.10 or later`,
      advice: 'upgrade RabbitMQ: docs/operations.md',
    });
  }
  if (blockedReason !== undefined) {
    troubles.push({
      result: 'problem',
      finding: `it takes no messages: ${blockedReason}`,
      advice: 'free memory or disk at the broker: docs/runbook.md, RabbitMQResourceAlarm',
    });
  }
  return findings('broker', troubles, `RabbitMQ ${version ?? ''} answers and takes messages`);
}

/** Are queues and exchanges there, with the arguments that this version declares? */
export function checkTopology(facts: DoctorFacts): Finding[] {
  const { differences, queues, figures, topology } = facts;
  const check = 'topology';
  // Whoever may declare nothing cannot compare over AMQP, but may look.
  if ('unseen' in differences && 'value' in queues) {
    return findings(
      check,
      driftOf(topology.queues, queues.value),
      'the queues are as they should be',
    );
  }
  if ('unseen' in differences && 'value' in figures) {
    const missing = topology.queues.filter(({ name }) => figures.value.get(name) === undefined);
    if (missing.length > 0)
      return findings(check, missingTrouble(missing.map(({ name }) => name)), '');
  }
  return examined(check, differences, (found) => {
    const missing = found.filter(({ kind }) => kind === 'missing');
    const changed = found.filter(({ kind }) => kind === 'mismatch');
    return findings(
      check,
      [
        ...missingTrouble(missing.map(({ name }) => name)),
        ...changed.map(({ name, detail }) => ({
          result: 'problem' as const,
          finding: detail ?? `${name} has other arguments than this version declares`,
          advice: 'warren topology diff',
        })),
      ],
      'exchanges and queues are as they should be',
    );
  });
}

/** By the management API, for users who may declare nothing. */
function driftOf(
  wanted: DoctorFacts['topology']['queues'],
  seen: readonly { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[],
): Trouble[] {
  const found = new Map(seen.map((queue) => [queue.name, queue.arguments]));
  const changed = wanted.flatMap((queue): Trouble[] => {
    const actual = found.get(queue.name);
    if (actual === undefined) return [];
    const names = new Set([...Object.keys(queue.arguments), ...Object.keys(actual)]);
    const differing = [...names].filter((name) => actual[name] !== queue.arguments[name]);
    if (differing.length === 0) return [];
    const list = differing.map(
      (name) => `${name} is ${actual[name] ?? 'not set'}, not ${queue.arguments[name] ?? 'unset'}`,
    );
    return [
      {
        // A stream with other bounds serves as well.
        result: queue.role === 'stream' ? 'warning' : 'problem',
        finding: `queue ${queue.name}: ${list.join('; ')}`,
        advice: 'warren topology diff, as a user who may declare, says how to move to the new ones',
      },
    ];
  });
  const missing = wanted.filter(({ name }) => !found.has(name)).map(({ name }) => name);
  return [...missingTrouble(missing), ...changed];
}

function missingTrouble(names: readonly string[]): Trouble[] {
  if (names.length === 0) return [];
  return [
    {
      result: 'problem',
      finding: `${names.length} missing: ${listed(names)}`,
      advice: 'warren topology apply',
    },
  ];
}

/** Those of which workers take jobs. */
export const takenQueues = (queues: DoctorFacts['topology']['queues']) =>
  queues.filter(({ role }) => role === 'work' || role === 'suspect');

/** Does somebody take what waits? */
export function checkConsumers({ figures, topology, held }: DoctorFacts): Finding[] {
  return examined('consumers', figures, (seen) => {
    const alone: string[] = [];
    const onPurpose = new Map<string, Trouble>();
    for (const { name, jobType = name } of takenQueues(topology.queues)) {
      const { ready, consumers } = seen.get(name) ?? { ready: 0, consumers: 1 };
      if (ready === 0) continue;
      const isAlone = consumers === 0;
      const reason = holdsBack({ queue: jobType, isAlone }, held);
      if (reason) onPurpose.set(reason.text, heldTrouble(reason, jobType));
      else if (isAlone) alone.push(`${name} (${ready})`);
    }
    const trouble: Trouble = {
      result: 'problem',
      finding: `jobs wait and nobody takes them: ${listed(alone)}${unheardText(held)}`,
      advice: 'start the service: docs/runbook.md, JobQueueNoConsumers',
    };
    return findings(
      'consumers',
      [...(alone.length > 0 ? [trouble] : []), ...onPurpose.values()],
      'whatever waits has a consumer',
    );
  });
}

function heldTrouble(
  { by, text }: NonNullable<ReturnType<typeof holdsBack>>,
  jobType: string,
): Trouble {
  const advice =
    by === 'operator'
      ? `warren queue resume ${jobType}`
      : 'mend what it stands for: docs/runbook.md, JobCircuitOpen';
  return { result: 'warning', finding: text, advice };
}

/** Do messages wait for a person? */
export function checkDeadLetters({ figures, topology }: DoctorFacts): Finding[] {
  const check = 'dead letters';
  return examined(check, figures, (seen) => {
    const dead = topology.queues
      .filter(({ role }) => role === 'dead')
      .flatMap(({ name }) => {
        const ready = seen.get(name)?.ready ?? 0;
        return ready > 0 ? [`${name} (${ready})`] : [];
      });
    const trouble: Trouble = {
      result: 'warning',
      finding: `they wait for a decision: ${listed(dead)}`,
      advice: 'warren dead groups <queue>',
    };
    return findings(check, dead.length > 0 ? [trouble] : [], 'none');
  });
}

/** Were messages meant for queues that are gone? */
export function checkUnroutable({ figures, topology: { names } }: DoctorFacts): Finding[] {
  return examined('unroutable', figures, (seen) => {
    const ready = seen.get(names.unroutable)?.ready ?? 0;
    const trouble: Trouble = {
      result: 'problem',
      finding: `${ready} messages in ${names.unroutable}: the queue that each was meant for was gone`,
      advice: 'warren topology apply, then warren dead replay jobs.unroutable',
    };
    return findings('unroutable', ready > 0 ? [trouble] : [], 'none');
  });
}
