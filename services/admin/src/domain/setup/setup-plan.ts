import { isAtLeast } from '@warren/broker';
import type { QueueSpec, Topology } from '@warren/topology';
import { LONGEST_PATTERN, permissionPattern } from '../access/permission-pattern.ts';
import { serviceAccess } from '../access/service-access.ts';
import type { SeenPermissions } from '../doctor/facts.ts';

/** One user of the broker. */
export interface PlannedUser {
  readonly name: string;
  readonly service: string;
  readonly tags: readonly string[];
  readonly permissions: SeenPermissions;
}

/** One policy. */
export interface PlannedPolicy {
  readonly name: string;
  readonly pattern: string;
  readonly definition: Readonly<Record<string, number>>;
  readonly priority: number;
}

/** What an installation needs at the broker beside its topology. */
export interface SetupPlan {
  readonly vhost: string;
  readonly users: readonly PlannedUser[];
  readonly policies: readonly PlannedPolicy[];
}

/** Above what operators give to the policies that they mean for everything. */
const PRIORITY = 100;
/** RabbitMQ's own, restated. */
const CONSUMER_TIMEOUT_MS = 1_800_000;

/** What to set up, for a version of RabbitMQ where that is known. Pure. */
export function planSetup(
  topology: Topology,
  { vhost, version }: { readonly vhost: string; readonly version: string | undefined },
): SetupPlan {
  const prefix = topology.names.namespace ?? 'warren';
  return {
    vhost,
    users: serviceAccess(topology).map(({ service, tags, access }) => ({
      name: `${prefix}-${service}`,
      service,
      tags,
      permissions: {
        configure: permissionPattern(access.configure),
        write: permissionPattern(access.write),
        read: permissionPattern(access.read),
      },
    })),
    policies: planPolicies(topology, prefix, version),
  };
}

/** What RabbitMQ from 4.3 refuses of a plan: a line for each user and policy whose pattern is too long for it. */
export function tooLongFor43({ users, policies }: SetupPlan): string[] {
  const patterns = [
    ...users.map(({ name, permissions }) => [name, Object.values(permissions)] as const),
    ...policies.map(({ name, pattern }) => [name, [pattern]] as const),
  ];
  return patterns.flatMap(([name, texts]) => {
    const longest = Math.max(...texts.map((text) => text.length));
    return longest > LONGEST_PATTERN
      ? `${name} has a pattern of ${longest} characters: RabbitMQ takes ${LONGEST_PATTERN} at most from 4.3 on`
      : [];
  });
}

/**
 * Only one policy holds for a queue, the one with the highest priority: these say again what the queues declare, so that one
 * for everything (`max-length` for `.*`) does not reach them.
 */
function planPolicies(
  { queues }: Topology,
  prefix: string,
  version: string | undefined,
): PlannedPolicy[] {
  const runs = ({ role }: QueueSpec) => role === 'work' || role === 'suspect';
  const keeps = ({ role }: QueueSpec) => role !== 'stream' && role !== 'work' && role !== 'suspect';
  const timeout = isAtLeast(version, 3, 12) ? { 'consumer-timeout': CONSUMER_TIMEOUT_MS } : {};
  return [
    policyOf(`${prefix}-run`, queues.filter(runs), timeout),
    policyOf(`${prefix}-keep`, queues.filter(keeps), {}),
  ].flatMap((policy) => policy ?? []);
}

function policyOf(
  name: string,
  queues: readonly QueueSpec[],
  more: Readonly<Record<string, number>>,
): PlannedPolicy | undefined {
  const limit = queues[0]?.arguments['x-delivery-limit'];
  if (typeof limit !== 'number') return undefined;
  return {
    name,
    pattern: permissionPattern(queues.map((queue) => queue.name)),
    definition: { 'delivery-limit': limit, ...more },
    priority: PRIORITY,
  };
}
