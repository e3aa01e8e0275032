import { LANES, type Lane } from '@warren/contracts';
import {
  checkNames,
  type HistoryBounds,
  type JobQueues,
  type Subscriber,
  type TopologyOptions,
} from './check-options.ts';
import { createNames, laneKey, type Names } from './names.ts';
import {
  deadQueueSpec,
  retryQueueSpec,
  suspectQueueSpec,
  unroutableQueueSpec,
  workQueueSpec,
} from './queues.ts';
import type { BindingSpec, ExchangeSpec, QueueSpec, TopologyStep } from './specs.ts';
import { checkHistory, streamSpecs } from './streams.ts';
import { RETRY_TIERS, type RetryTier } from './tiers.ts';

/** All that an installation has at the broker, as frozen data. */
export interface Topology {
  readonly names: Names;
  /**
   * Every declaration, in the order to make them: each exchange that messages are dead-lettered into, and its
   * bindings, come before the queues that feed it, and the bindings that let new jobs in come last.
   */
  readonly steps: readonly TopologyStep[];
  readonly exchanges: readonly ExchangeSpec[];
  readonly queues: readonly QueueSpec[];
  readonly bindings: readonly BindingSpec[];
}

/**
 * The topology for a set of job types and subscribers. Pure: nothing is declared.
 * @throws ConfigInvalidError naming `namespace`, `type`, `jobTypes`, `subscribers`, `pattern`, `tiers`, `maxAge` or
 * `maxBytes`
 */
export function buildTopology(options: TopologyOptions): Topology {
  const { namespace, subscribers = [], tiers = RETRY_TIERS, history } = options;
  const names = createNames(namespace);
  const jobs = options.jobTypes.map((one) => (typeof one === 'string' ? { type: one } : one));
  checkNames({ jobTypes: jobs.map(({ type }) => type), subscribers, tiers });
  if (history) checkHistory(history);
  const worked = [...jobs, ...subscribers.map(({ name }) => ({ type: name }))];
  const steps = [
    ...unroutableSteps(names),
    ...deadSteps(names, worked),
    ...workSteps(names, worked),
    ...tiers.flatMap((tier) => tierSteps(names, tier)),
    ...eventSteps(names, subscribers),
    ...(history ? historySteps(names, history) : []),
    ...frontDoorSteps(names, jobs),
  ];
  return Object.freeze({
    names,
    steps: Object.freeze(steps),
    exchanges: Object.freeze(steps.filter((step) => step.kind === 'exchange')),
    queues: Object.freeze(steps.filter((step) => step.kind === 'queue')),
    bindings: Object.freeze(steps.filter((step) => step.kind === 'binding')),
  });
}

function unroutableSteps(names: Names): TopologyStep[] {
  return [
    exchange(names.unroutable, 'fanout'),
    unroutableQueueSpec(names),
    binding(names.unroutable, names.unroutable, ''),
  ];
}

function deadSteps(names: Names, worked: readonly JobQueues[]): TopologyStep[] {
  return [
    exchange(names.dead, 'topic', names.unroutable),
    ...worked.flatMap(({ type }) => [
      deadQueueSpec(names, type),
      binding(names.dead, names.deadQueue(type), names.workQueue(type)),
    ]),
  ];
}

/** Work and suspect queues, reachable by their full names; the alternate exchange takes what has no queue any more. */
function workSteps(names: Names, worked: readonly JobQueues[]): TopologyStep[] {
  return [
    exchange(names.due, 'direct', names.unroutable),
    ...worked
      .flatMap((job) => [
        ...lanesOf(job).map((lane) => workQueueSpec(names, job.type, lane)),
        suspectQueueSpec(names, job.type),
      ])
      .flatMap((queue) => [queue, binding(names.due, queue.name, queue.name)]),
  ];
}

/** The type's own queue first. */
function lanesOf({ lanes = false }: JobQueues): readonly Lane[] {
  return lanes ? ['normal', ...LANES.filter((lane) => lane !== 'normal')] : ['normal'];
}

function tierSteps(names: Names, tier: RetryTier): TopologyStep[] {
  const name = names.retry(tier);
  return [exchange(name, 'fanout'), retryQueueSpec(names, tier), binding(name, name, '')];
}

/** Exact keys only: behind a wildcard reader a job without a queue would look accepted. */
function frontDoorSteps(names: Names, jobs: readonly JobQueues[]): TopologyStep[] {
  return [
    exchange(names.jobs, 'topic'),
    ...jobs.flatMap((job) =>
      lanesOf(job).map((lane) =>
        binding(names.jobs, names.laneQueue(job.type, lane), laneKey(job.type, lane)),
      ),
    ),
  ];
}

/** Facts, for any number of readers, none included: patterns are welcome here. */
function eventSteps(names: Names, subscribers: readonly Subscriber[]): TopologyStep[] {
  return [
    exchange(names.events, 'topic'),
    ...subscribers.flatMap(({ name, patterns }) =>
      patterns.map((pattern) => binding(names.events, names.workQueue(name), pattern)),
    ),
  ];
}

function historySteps(names: Names, history: HistoryBounds): TopologyStep[] {
  return [
    exchange(names.lifecycle, 'topic'),
    ...streamSpecs(names, history),
    binding(names.lifecycle, names.history, '#'),
  ];
}

function exchange(name: string, type: ExchangeSpec['type'], alternate?: string): ExchangeSpec {
  const args: Record<string, string> =
    alternate === undefined ? {} : { 'alternate-exchange': alternate };
  return Object.freeze({ kind: 'exchange', name, type, arguments: Object.freeze(args) });
}

function binding(exchangeName: string, queue: string, routingKey: string): BindingSpec {
  return Object.freeze({ kind: 'binding', exchange: exchangeName, queue, routingKey });
}
