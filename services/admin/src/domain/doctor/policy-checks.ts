import type { QueueRole, QueueSpec } from '@warren/topology';
import type { DoctorFacts, SeenQueue } from './facts.ts';
import { examined, type Finding, findings, listed, type Trouble } from './finding.ts';

/** What a policy's key does to a queue that has this for the argument; undefined for what does no harm. */
type Harm = Pick<Trouble, 'result'> & { readonly effect: string };
type Judge = (value: unknown, queue: QueueSpec) => Harm | undefined;

const problem = (effect: string): Harm => ({ result: 'problem', effect });
const warning = (effect: string): Harm => ({ result: 'warning', effect });

/** Of an argument and a policy the broker takes the smaller number. */
const smallerThan =
  (argument: string, effect: string): Judge =>
  (value, queue) => {
    const own = queue.arguments[argument];
    return typeof value === 'number' && typeof own === 'number' && value < own
      ? problem(`${effect} (${value}, declared ${own})`)
      : undefined;
  };

const differsFrom =
  (argument: string, harm: Harm): Judge =>
  (value, queue) =>
    value === queue.arguments[argument] ? undefined : harm;

const BOUNDED = (role: QueueRole) =>
  role === 'dead' || role === 'unroutable'
    ? problem('over that length it drops or refuses what must be kept')
    : problem('a full queue freezes every retry tier that feeds it, for all job types');

/** Keys that change what a queue of the kit must do. All others are left to the operator. */
const JUDGES: Readonly<Record<string, Judge>> = {
  'message-ttl': (value, queue) => {
    if (queue.role === 'retry') {
      return smallerThan('x-message-ttl', 'retries come too early')(value, queue);
    }
    return queue.role === 'work' || queue.role === 'suspect'
      ? problem('jobs that wait that long are given up')
      : problem('messages that must be kept are dropped after that time');
  },
  expires: () => problem('the broker deletes the queue with all that waits in it'),
  'max-length': (_, { role }) => BOUNDED(role),
  'max-length-bytes': (_, { role }) => BOUNDED(role),
  'delivery-limit': smallerThan('x-delivery-limit', 'lost connections can use it up'),
  overflow: (value, queue) =>
    queue.arguments['x-overflow'] === undefined || value === 'reject-publish'
      ? undefined
      : problem('dead-lettering is no longer at-least-once: a crash of the broker can lose jobs'),
  'dead-letter-strategy': (value, queue) =>
    queue.arguments['x-dead-letter-strategy'] === undefined || value === 'at-least-once'
      ? undefined
      : problem('dead-lettering may be at-most-once: a crash of the broker can lose jobs'),
  'dead-letter-exchange': (value, queue) =>
    queue.arguments['x-dead-letter-exchange'] === undefined
      ? problem('messages that a person is to decide on can leave it')
      : differsFrom(
          'x-dead-letter-exchange',
          warning('has no effect: the argument goes before it'),
        )(value, queue),
  'dead-letter-routing-key': (value, queue) => {
    if (queue.role === 'retry') return problem('retries come back to the wrong queue');
    return queue.arguments['x-dead-letter-routing-key'] === undefined
      ? undefined
      : differsFrom(
          'x-dead-letter-routing-key',
          warning('has no effect: the argument goes before it'),
        )(value, queue);
  },
};

/** Streams are bounded on purpose; there a policy may say how. */
const STREAM_KEYS = new Set(['expires']);

/** Do policies change what queues must do? */
export function checkPolicies({ queues, topology }: DoctorFacts): Finding[] {
  return examined('policies', queues, (seen) => {
    const specs = new Map(topology.queues.map((queue) => [queue.name, queue]));
    const troubles = new Map<string, { harm: Harm; about: string; names: string[] }>();
    for (const queue of seen) {
      const spec = specs.get(queue.name);
      if (!spec) continue;
      for (const { key, value, harm } of harmsTo(spec, queue)) {
        const about = `policy ${queue.policies.join(' and ')} sets ${key}: ${JSON.stringify(value)}`;
        const id = `${about} ${harm.effect}`;
        const known = troubles.get(id) ?? { harm, about, names: [] };
        known.names.push(queue.name);
        troubles.set(id, known);
      }
    }
    const list = [...troubles.values()].map(({ harm, about, names }) => ({
      result: harm.result,
      finding: `${about} for ${listed(names)}: ${harm.effect}`,
      advice:
        'take these queues out of its pattern, or the key out of its definition: rabbitmqctl list_policies',
    }));
    const untold = seen.filter(({ name, policy }) => specs.has(name) && policy === undefined);
    if (untold.length > 0 && list.length === 0) {
      const finding = `the API does not tell yet which hold for ${untold.length} queues`;
      return [{ check: 'policies', result: 'not checkable', finding }];
    }
    return findings('policies', list, 'none changes what queues must do');
  });
}

function harmsTo(spec: QueueSpec, { policy }: SeenQueue) {
  return Object.entries(policy ?? {}).flatMap(([key, value]) => {
    if (spec.role === 'stream' && !STREAM_KEYS.has(key)) return [];
    const harm = JUDGES[key]?.(value, spec);
    return harm ? [{ key, value, harm }] : [];
  });
}
