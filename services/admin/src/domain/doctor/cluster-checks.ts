import type { DoctorFacts, SeenNode } from './facts.ts';
import { examined, type Finding, findings, listed, type Trouble } from './finding.ts';

/** Copies of a quorum queue, where there are as many nodes. */
const USUAL_MEMBERS = 3;
const NEARLY = 0.8;
/** RabbitMQ 3.x sets that many file handles aside for each quorum queue. */
const FILES_PER_QUEUE = 3;

const DELAYED_EXCHANGE = 'rabbitmq_delayed_message_exchange';

/** Does each quorum queue have copies on enough nodes, and are they up? */
export function checkMembers({ queues, nodes, topology }: DoctorFacts): Finding[] {
  const check = 'members';
  return examined(check, queues, (all) =>
    examined(check, nodes, ({ length }) => {
      const own = new Set(topology.queues.map(({ name }) => name));
      const copied = all.flatMap(({ name, members, online }) =>
        own.has(name) && members !== undefined ? [{ name, members, online }] : [],
      );
      if (copied.length === 0) {
        return [{ check, result: 'not checkable', finding: 'the API tells of no members' }];
      }
      const wanted = Math.min(USUAL_MEMBERS, length);
      const few = copied.filter(({ members }) => members.length < wanted);
      const down = copied.filter(
        ({ members, online }) => online !== undefined && online.length < members.length,
      );
      return findings(
        check,
        [
          ...trouble(
            'problem',
            few.map(({ name, members }) => `${name} (${members.length})`),
            `queues with fewer than ${wanted} copies:`,
            'rabbitmq-queues grow <node> all, for each node that has too few',
          ),
          ...trouble(
            'warning',
            down.map(({ name }) => name),
            'queues of which a copy is down:',
            'start the node that is down; rabbitmq-queues quorum_status <queue> names it',
          ),
        ],
        `${copied.length} queues, each with ${wanted} or more`,
      );
    }),
  );
}

function trouble(
  result: Trouble['result'],
  names: readonly string[],
  about: string,
  advice: string,
): Trouble[] {
  return names.length === 0 ? [] : [{ result, finding: `${about} ${listed(names)}`, advice }];
}

/** Is every node up, with memory, disk and one view of the cluster? */
export function checkNodes({ nodes }: DoctorFacts): Finding[] {
  return examined('nodes', nodes, (all) => {
    const named = (test: (node: SeenNode) => boolean) => all.filter(test).map(({ name }) => name);
    return findings(
      'nodes',
      [
        ...trouble(
          'problem',
          named(({ isRunning }) => !isRunning),
          'down:',
          'start it, or take it out of the cluster: rabbitmqctl forget_cluster_node',
        ),
        ...trouble(
          'problem',
          named(({ partitions }) => partitions.length > 0),
          'do not see all others:',
          'mend the network, then restart the nodes of the smaller part',
        ),
        ...trouble(
          'problem',
          named(({ hasMemoryAlarm, hasDiskAlarm }) => hasMemoryAlarm || hasDiskAlarm),
          'alarm over memory or disk, nothing is accepted:',
          'docs/runbook.md, RabbitMQResourceAlarm',
        ),
        ...trouble(
          'warning',
          named(isNearlyFull),
          'memory is used to over 80 % of its limit:',
          'docs/runbook.md, RabbitMQMemoryHigh',
        ),
      ],
      `${all.length} up, no alarm`,
    );
  });
}

function isNearlyFull({ memoryBytes, memoryLimitBytes, hasMemoryAlarm }: SeenNode): boolean {
  if (memoryBytes === undefined || !memoryLimitBytes || hasMemoryAlarm) return false;
  return memoryBytes > NEARLY * memoryLimitBytes;
}

/** On 3.x, are there file handles for all queues? 4.x does not count them. */
export function checkFiles({ nodes, queueCount, version }: DoctorFacts): Finding[] {
  const check = 'file handles';
  if (!version?.startsWith('3.')) {
    return [{ check, result: 'ok', finding: 'not counted by queue since RabbitMQ 4.0' }];
  }
  return examined(check, nodes, (all) =>
    examined(check, queueCount, (count) => {
      const needed = count * FILES_PER_QUEUE;
      const few = all.flatMap(({ name, fileLimit }) =>
        fileLimit !== undefined && needed > NEARLY * fileLimit ? [`${name} (${fileLimit})`] : [],
      );
      return findings(
        check,
        trouble(
          'problem',
          few,
          `${count} queues set up to ${needed} aside, near or over the limit:`,
          `LimitNOFILE=65536: docs/deployment.md, "The broker's file limit"`,
        ),
        `${count} queues set up to ${needed} aside`,
      );
    }),
  );
}

/** Would an upgrade start? */
export function checkFlags({ disabledFlags, deprecated }: DoctorFacts): Finding[] {
  return [
    ...examined('feature flags', disabledFlags, (flags) =>
      findings(
        'feature flags',
        trouble(
          'warning',
          flags,
          'off, so that a later version may not start:',
          'rabbitmqctl enable_feature_flag all',
        ),
        'all stable ones are on',
      ),
    ),
    ...examined('deprecated', deprecated, (features) =>
      findings(
        'deprecated',
        trouble(
          'warning',
          features,
          'in use, and gone in a later version:',
          'find who uses them before the next upgrade; Warren uses none',
        ),
        'nothing is in use that later versions lack',
      ),
    ),
  ];
}

/** Are plugins on that Warren's users need, and none that loses jobs? */
export function checkPlugins({ nodes }: DoctorFacts): Finding[] {
  return examined('plugins', nodes, (all) => {
    const told = all.flatMap(({ name, plugins }) => (plugins ? [{ name, plugins }] : []));
    if (told.length === 0) {
      return [{ check: 'plugins', result: 'not checkable', finding: 'the API names none' }];
    }
    const without = (plugin: string) =>
      told.filter(({ plugins }) => !plugins.includes(plugin)).map(({ name }) => name);
    const delayed = told.filter(({ plugins }) => plugins.includes(DELAYED_EXCHANGE));
    return findings(
      'plugins',
      [
        ...trouble(
          'warning',
          delayed.map(({ name }) => name),
          `${DELAYED_EXCHANGE} keeps messages on one node only and does not exist for 4.3; it is on at`,
          'Warren does not need it: rabbitmq-plugins disable, once whoever uses it has stopped',
        ),
        ...trouble(
          'warning',
          without('rabbitmq_prometheus'),
          'no metrics, so that alerts about RabbitMQ cannot fire: rabbitmq_prometheus is off at',
          'rabbitmq-plugins enable rabbitmq_prometheus',
        ),
      ],
      'rabbitmq_prometheus is on',
    );
  });
}
