import type { QueueRole, Topology } from '@warren/topology';
import { DEFAULT_EXCHANGE, type NeededAccess, operatorAccess } from './needed-access.ts';

/** A service, or whoever runs the command `warren`, and what it needs at the broker. */
export interface ServiceAccess {
  readonly service: string;
  /** RabbitMQ's word for who may use its management API. */
  readonly tags: readonly string[];
  readonly access: NeededAccess;
}

/** Services that handle the job types with this first word, where they are not named after it. */
const SERVICES: Readonly<Record<string, string>> = { document: 'documents' };
/** Handle jobs and publish none. */
const SILENT: ReadonlySet<string> = new Set(['payment', 'webhook']);

/**
 * What each service needs, and nothing more: no service declares or deletes anything. A job type belongs to the service
 * that is named as its first word. Rights to a queue of dead letters are those who replay.
 */
export function serviceAccess(topology: Topology): ServiceAccess[] {
  const types = topology.queues.flatMap(({ role, jobType }) =>
    role === 'work' && jobType !== undefined ? [jobType] : [],
  );
  const workers = [...new Set(types.map(serviceOf))].sort();
  return [
    { service: 'gateway', tags: [], access: gatewayAccess(topology) },
    ...(namesOf(topology, 'stream').length > 0
      ? [{ service: 'tracker', tags: [], access: trackerAccess(topology) }]
      : []),
    ...workers.map((service) => ({ service, tags: [], access: workerAccess(topology, service) })),
    { service: 'operator', tags: ['monitoring'], access: operatorAccess(topology) },
  ];
}

/** Which service handles a job type. */
export function serviceOf(jobType: string): string {
  const [word = jobType] = jobType.split('.', 1);
  return SERVICES[word] ?? word;
}

/** Takes the jobs of its types, moves them to tiers, back and to the dead letters, and tells of it. */
function workerAccess(topology: Topology, service: string): NeededAccess {
  const { names } = topology;
  const own = topology.queues.filter(
    ({ role, jobType }) =>
      (role === 'work' || role === 'suspect') &&
      jobType !== undefined &&
      serviceOf(jobType) === service,
  );
  return {
    configure: [],
    write: [
      names.due,
      names.dead,
      ...namesOf(topology, 'retry'),
      // Tells apart what was cancelled before it began to read by a mark in the stream.
      ...historyWrites(topology),
      ...(SILENT.has(service) ? [] : [names.jobs, names.events]),
    ],
    read: [...own.map(({ name }) => name), ...streamsOf(topology, [names.control, names.cancels])],
  };
}

/** Publishes, cancels, pauses, replays one job, and shows what there is of everything. */
function gatewayAccess(topology: Topology): NeededAccess {
  const { names, queues } = topology;
  const dead = [...namesOf(topology, 'dead'), names.unroutable];
  const locks = dead.map((name) => names.replayLock(name));
  return {
    configure: locks,
    write: [
      ...new Set([
        names.jobs,
        names.events,
        names.due,
        ...namesOf(topology, 'retry'),
        ...historyWrites(topology),
        DEFAULT_EXCHANGE,
        // No message goes to a queue by this. From RabbitMQ 4.3 who has no right at all may not ask for a queue, such as a lock.
        ...queues.filter(({ role }) => role !== 'stream').map(({ name }) => name),
        ...dead.map((name) => names.migrationLock(name)),
      ]),
    ],
    read: [
      ...dead,
      ...locks,
      ...streamsOf(topology, [names.history, names.control, names.cancels]),
    ],
  };
}

/** Reads what happened, and looks among the dead letters for jobs whose end was not told. */
function trackerAccess(topology: Topology): NeededAccess {
  const { names } = topology;
  const dead = namesOf(topology, 'dead');
  return {
    configure: [],
    write: [names.lifecycle],
    // A lock it only looks at.
    read: [
      ...[names.history, ...dead, names.unroutable],
      ...dead.map((name) => names.migrationLock(name)),
    ],
  };
}

/** The streams of control and cancellations are published to through the default exchange. */
function historyWrites(topology: Topology): string[] {
  const hasStreams = namesOf(topology, 'stream').length > 0;
  return hasStreams ? [topology.names.lifecycle, DEFAULT_EXCHANGE] : [];
}

function streamsOf(topology: Topology, wanted: readonly string[]): string[] {
  return namesOf(topology, 'stream').filter((name) => wanted.includes(name));
}

function namesOf({ queues }: Topology, role: QueueRole): string[] {
  return queues.filter((queue) => queue.role === role).map(({ name }) => name);
}
