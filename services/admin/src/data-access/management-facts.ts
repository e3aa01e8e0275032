import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type {
  ManagementFacts,
  SeenNode,
  SeenPermissions,
  SeenQueue,
} from '../domain/doctor/facts.ts';
import type { Seen } from '../domain/doctor/finding.ts';
import { type ManagementAccess, pathOf } from './management-access.ts';
import { queuesSeen, seen } from './management-seen.ts';

/** All but what is compared elsewhere. */
export type ManagementAnswers = Omit<ManagementFacts, 'bindings'>;

const QUEUE_COLUMNS =
  'name,type,arguments,policy,operator_policy,effective_policy_definition,members,online,messages,messages_ready,messages_unacknowledged,messages_dlx';
/** The API's figures are renewed every 5 s: what is on its way in one look and in the next is stuck, or one of many. */
const SECOND_LOOK_MS = 6_000;

const record = z.record(z.string(), z.unknown());
/** Erlang's empty object may come as an empty list. */
const object = z.union([record, z.array(z.never()).transform(() => ({}))]);
const name = z.string().nullish();
const names = z.array(z.string());

const toldQueue = z.object({
  name: z.string(),
  type: z.string().optional(),
  arguments: object.optional(),
  policy: name,
  operator_policy: name,
  effective_policy_definition: object.nullish(),
  members: names.optional(),
  online: names.optional(),
  messages: z.number().optional(),
  messages_ready: z.number().optional(),
  messages_unacknowledged: z.number().optional(),
  messages_dlx: z.number().nullish().catch(undefined),
});

type ToldQueue = z.infer<typeof toldQueue>;

const nodeList = z.array(
  z.object({
    name: z.string(),
    running: z.boolean(),
    mem_used: z.number().optional(),
    mem_limit: z.number().optional().catch(undefined),
    mem_alarm: z.boolean().optional(),
    disk_free_limit: z.number().optional().catch(undefined),
    disk_free_alarm: z.boolean().optional(),
    fd_total: z.number().optional().catch(undefined),
    enabled_plugins: names.optional(),
    partitions: names.optional(),
  }),
);

const whoami = z.object({
  tags: z.union([names, z.string().transform((text) => text.split(','))]),
});
const overview = z.object({ object_totals: z.object({ queues: z.number() }) });
const versioned = z.object({ rabbitmq_version: z.string() });
const flagList = z.array(
  z.object({ name: z.string(), state: z.string(), stability: z.string().optional() }),
);
const deprecatedList = z.array(z.object({ name: z.string() }));
const permissions = z.object({ configure: z.string(), write: z.string(), read: z.string() });

/**
 * Asks for all that the doctor wants to know. Never rejects: each part tells for itself why it could not be seen.
 * @param user whose permissions are meant, that of AMQP
 * @param isOwn whether that one name of a queue is one of the installation's
 * @param secondLookMs after which the queues are asked for again, where messages are seen leaving one
 */
export async function managementFacts(
  access: ManagementAccess,
  user: string,
  isOwn: (queue: string) => boolean,
  secondLookMs = SECOND_LOOK_MS,
): Promise<ManagementAnswers> {
  const tags = await seen(access, '/whoami', whoami, (own) => own.tags);
  // Without a user, or an API, the other answers would only repeat it.
  if ('unseen' in tags) return unseenFacts(tags.unseen);
  const own = `/permissions${pathOf(access.vhost, user)}`;
  const [queues, nodes, queueCount, disabledFlags, deprecated, mine] = await Promise.all([
    queuesTwice(access, isOwn, secondLookMs),
    seen(access, '/nodes', nodeList, (all) => all.map(nodeOf)),
    seen(access, '/overview', overview, ({ object_totals }) => object_totals.queues),
    seen(access, '/feature-flags', flagList, disabledOf),
    seen(access, '/deprecated-features/used', deprecatedList, (all) => all.map((one) => one.name)),
    seen(access, own, permissions, (found): SeenPermissions | undefined => found),
  ]);
  return { tags, queues, nodes, queueCount, disabledFlags, deprecated, permissions: mine };
}

/** Such as `3.10.8`; undefined where it is not told. */
export async function brokerVersion(access: ManagementAccess): Promise<string | undefined> {
  const answer = await seen(access, '/overview', versioned, (found) => found.rabbitmq_version);
  return 'value' in answer ? answer.value : undefined;
}

/** As if all of it had been refused. */
export function unseenFacts(unseen: string): ManagementAnswers {
  const all = { unseen };
  return {
    tags: all,
    queues: all,
    nodes: all,
    queueCount: all,
    disabledFlags: all,
    deprecated: all,
    permissions: all,
  };
}

/** What is seen leaving a queue once may be on its way. */
async function queuesTwice(
  access: ManagementAccess,
  isOwn: (queue: string) => boolean,
  secondLookMs: number,
): Promise<Seen<readonly SeenQueue[]>> {
  const first = await queuesOf(access, isOwn);
  if ('unseen' in first || !first.value.some(({ leaving = 0 }) => leaving > 0)) return first;
  await pause(secondLookMs);
  const second = await queuesOf(access, isOwn);
  if ('unseen' in second) return second;
  const before = new Map(first.value.map(({ name, leaving }) => [name, leaving]));
  const value = second.value.map((queue) => {
    const { name, leaving } = queue;
    return { ...queue, leaving: leaving && Math.min(leaving, before.get(name) ?? 0) };
  });
  return { value };
}

async function queuesOf(
  access: ManagementAccess,
  isOwn: (queue: string) => boolean,
): Promise<Seen<readonly SeenQueue[]>> {
  const told = await queuesSeen(access, QUEUE_COLUMNS, toldQueue);
  if ('unseen' in told) return told;
  return { value: told.value.filter((one) => isOwn(one.name)).map(queueOf) };
}

function queueOf(queue: ToldQueue): SeenQueue {
  const { policy, operator_policy, effective_policy_definition } = queue;
  return {
    name: queue.name,
    type: queue.type,
    arguments: queue.arguments ?? {},
    policies: [policy, operator_policy].flatMap((one) => (one ? [one] : [])),
    policy: effective_policy_definition ?? undefined,
    members: queue.members,
    online: queue.online,
    leaving: leavingOf(queue),
  };
}

/** `messages_dlx` where it is told; else what is counted as neither. */
function leavingOf(queue: ToldQueue): number | undefined {
  const { messages, messages_ready: ready, messages_unacknowledged: unacked } = queue;
  if (messages === undefined || ready === undefined || unacked === undefined) return undefined;
  return queue.messages_dlx ?? Math.max(0, messages - ready - unacked);
}

function nodeOf(node: z.infer<typeof nodeList>[number]): SeenNode {
  return {
    name: node.name,
    isRunning: node.running,
    memoryBytes: node.mem_used,
    memoryLimitBytes: node.mem_limit,
    hasMemoryAlarm: node.mem_alarm ?? false,
    diskFreeLimitBytes: node.disk_free_limit,
    hasDiskAlarm: node.disk_free_alarm ?? false,
    fileLimit: node.fd_total,
    plugins: node.enabled_plugins,
    partitions: node.partitions ?? [],
  };
}

function disabledOf(flags: z.infer<typeof flagList>): string[] {
  return flags
    .filter(({ state, stability }) => state === 'disabled' && stability !== 'experimental')
    .map((flag) => flag.name);
}
