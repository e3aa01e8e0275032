import { isAtLeast } from '@warren/broker';
import type { DoctorFacts } from './facts.ts';
import type { Finding, Trouble } from './finding.ts';
import { findings } from './finding.ts';

/** RabbitMQ's own, since 3.8.17. */
const DEFAULT_MS = 1_800_000;

const CHECK = 'consumer timeout';

/**
 * May handlers run for as long as their job types say? The broker's general `consumer_timeout` is in its configuration, which
 * nothing shows from afar: where no policy or argument says more, its default is taken. Long ones may: their delivery is
 * settled before they run.
 */
export function checkConsumerTimeout(facts: DoctorFacts): Finding[] {
  const held = facts.jobs.filter(({ long }) => !long);
  const troubles = held.flatMap((job): Trouble[] => {
    const longestMs = job.timeoutMs + job.cancelGraceMs;
    const { ms, source } = timeoutOf(facts, job.type);
    if (longestMs < ms) return [];
    return [
      {
        result: source === undefined ? 'warning' : 'problem',
        finding: `${job.type} may run ${seconds(longestMs)}, the broker takes it back after ${seconds(ms)} (${source ?? 'its default'})`,
        advice: 'raise consumer_timeout in rabbitmq.conf, or shorten the timeout of the job type',
      },
    ];
  });
  const longestMs = Math.max(0, ...held.map((job) => job.timeoutMs + job.cancelGraceMs));
  const known = 'value' in facts.queues ? '' : ', as far as AMQP shows';
  return findings(CHECK, troubles, `the longest handler may run ${seconds(longestMs)}${known}`);
}

/** 3.10 and 3.11 have it for the whole node only. */
function timeoutOf(
  { queues, version, topology }: DoctorFacts,
  jobType: string,
): { readonly ms: number; readonly source?: string } {
  if (!('value' in queues) || !isAtLeast(version, 3, 12)) return { ms: DEFAULT_MS };
  const name = topology.names.workQueue(jobType);
  const queue = queues.value.find((one) => one.name === name);
  const values = [
    { ms: queue?.arguments['x-consumer-timeout'], source: 'an argument of the queue' },
    {
      ms: queue?.policy?.['consumer-timeout'],
      source: `policy ${queue?.policies.join(' and ') ?? ''}`,
    },
  ];
  for (const { ms, source } of values) {
    if (typeof ms === 'number') return { ms, source };
  }
  return { ms: DEFAULT_MS };
}

const seconds = (ms: number) => `${Math.round(ms / 1_000)} s`;
