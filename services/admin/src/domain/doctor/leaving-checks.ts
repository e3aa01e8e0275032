import type { DoctorFacts } from './facts.ts';
import { examined, type Finding, findings, listed, type Trouble } from './finding.ts';

const CHECK = 'stuck messages';

/**
 * At-least-once dead-lettering keeps a message in the queue that it leaves until its target has it. While that is missing or
 * refuses, the message is neither ready nor out: no consumer gets it, no look at the queue shows it, and AMQP, which counts
 * what is ready, does not tell. Such a message in a delay queue holds up those behind it.
 */
export function checkLeaving({ queues, topology }: DoctorFacts): Finding[] {
  return examined(CHECK, queues, (seen) => {
    const own = new Set(
      topology.queues.filter(({ role }) => role !== 'stream').map(({ name }) => name),
    );
    const told = seen.filter(({ name, leaving }) => own.has(name) && leaving !== undefined);
    if (told.length === 0) {
      return [
        { check: CHECK, result: 'not checkable', finding: 'the API tells of no messages yet' },
      ];
    }
    const stuck = told.flatMap(({ name, leaving = 0 }) =>
      leaving > 0 ? [`${name} (${leaving})`] : [],
    );
    const trouble: Trouble = {
      result: 'problem',
      finding: `messages cannot leave their queue, and nobody can see them in it: ${listed(stuck)}`,
      advice:
        'warren topology apply, then diff: an exchange, queue or binding on their way is missing, or refuses; RabbitMQ tries again every 3 minutes',
    };
    return findings(CHECK, stuck.length > 0 ? [trouble] : [], 'none on its way to another queue');
  });
}
