import { brokerUrl, oneOf, parse, UsageError, wholeNumber } from '../command-line.ts';
import type { ProfileKind } from './recorder.ts';

/** What can be profiled. */
export const SUBJECTS = ['publisher', 'worker', 'tracker', 'gateway', 'bulk'] as const;
export type Subject = (typeof SUBJECTS)[number];

const KINDS = ['cpu', 'allocations'] as const satisfies readonly ProfileKind[];

/** What `npm run bench:profile` is asked for. */
export interface ProfileOptions {
  readonly subjects: readonly Subject[];
  readonly kinds: readonly ProfileKind[];
  /** Jobs that are counted; others before them warm the process up. */
  readonly count: number;
  /** Handlers at once. */
  readonly concurrency: number;
  /** Of how many types the jobs are that publisher and worker are given, in turn. */
  readonly jobTypes: number;
  /** Lines of each table. */
  readonly top: number;
  /** The worker empties a full queue, with nobody publishing. */
  readonly drain: boolean;
  readonly bare: boolean;
  readonly batched: boolean;
  readonly history: boolean;
  /** Whether V8 may compile functions into their callers. */
  readonly inlining: boolean;
  /** Whether the gateway has a store. */
  readonly store: boolean;
  readonly url: string;
  readonly databaseUrl: string;
}

export const USAGE = `Usage: npm run bench:profile -- [--only NAME] [--what cpu|allocations] [--count N] ...

Says where the time of a job goes, and what makes its objects, by lib and by function, in a process that does nothing else.
The profiles are kept in bench/results/profiles; Chrome's developer tools open them.

  --only NAME        one of:
    publisher        publishes jobs, many at once
    worker           handles them with a handler that does nothing
    tracker          reads the history of as many jobs into PostgreSQL, out of a stream that holds all of it
    gateway          answers POST /v1/jobs on 50 connections
    bulk             answers POST /v1/jobs/bulk, one stream of NDJSON
  --what KIND        cpu (microseconds a job) or allocations (bytes a job); without it the one, then the other
  --count N          jobs that are counted (default 100000); a quarter more before them warm the process up
  --concurrency N    handlers at once (default 10)
  --job-types N      of how many types the jobs of publisher and worker are, in turn (default 1)
  --top N            lines of each table (default 25)
  --drain            the worker alone, on a full queue
  --bare             hand-written amqplib instead of publisher and worker; --batched: an ack per 50 jobs
  --no-history       publisher and worker do not tell what happens
  --store            the gateway with a store, in the PostgreSQL that the tracker has
  --no-inlining      V8 compiles no function into its caller, which else is told instead of it: more bytes, each where made
  --url URL          the broker, by default AMQP_URL, else the one on this machine

PostgreSQL is the one in DATABASE_URL, by default one on 127.0.0.1:5432; the schemas made there are dropped.`;

const OPTIONS = {
  only: { type: 'string' },
  what: { type: 'string' },
  count: { type: 'string', default: '100000' },
  concurrency: { type: 'string', default: '10' },
  'job-types': { type: 'string', default: '1' },
  top: { type: 'string', default: '25' },
  drain: { type: 'boolean', default: false },
  bare: { type: 'boolean', default: false },
  batched: { type: 'boolean', default: false },
  'no-history': { type: 'boolean', default: false },
  store: { type: 'boolean', default: false },
  'no-inlining': { type: 'boolean', default: false },
  url: { type: 'string' },
} as const;

/** @throws UsageError naming the option */
export function readProfileOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ProfileOptions {
  const values = parse(args, OPTIONS);
  const { drain, bare, batched, store, 'no-history': noHistory } = values;
  if (batched && !bare) throw new UsageError('--batched: only with --bare');
  return {
    subjects: subjectsOf(values),
    kinds: values.what === undefined ? KINDS : [oneOf('--what', values.what, KINDS)],
    count: wholeNumber('--count', values.count),
    concurrency: wholeNumber('--concurrency', values.concurrency),
    jobTypes: wholeNumber('--job-types', values['job-types']),
    top: wholeNumber('--top', values.top),
    drain,
    bare,
    batched,
    store,
    history: !noHistory,
    inlining: !values['no-inlining'],
    url: values.url ?? brokerUrl(env),
    databaseUrl: env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres',
  };
}

type Switch = 'drain' | 'bare' | 'no-history' | 'store';

/** Of whom each switch says something. */
const SWITCHES: Readonly<Record<Switch, readonly Subject[]>> = {
  drain: ['worker'],
  bare: ['publisher', 'worker'],
  'no-history': ['publisher', 'worker'],
  store: ['gateway', 'bulk'],
};

/** All that every switch says something of; where one is named, that one. */
function subjectsOf(
  values: { readonly only?: string } & Readonly<Record<Switch, boolean>>,
): readonly Subject[] {
  const { only } = values;
  let subjects: readonly Subject[] =
    only === undefined ? SUBJECTS : [oneOf('--only', only, SUBJECTS)];
  let narrowedBy = `--only ${only}`;
  for (const [name, meant] of Object.entries(SWITCHES) as [Switch, readonly Subject[]][]) {
    if (!values[name]) continue;
    subjects = subjects.filter((subject) => meant.includes(subject));
    if (subjects.length === 0) {
      throw new UsageError(`--${name}: not with ${narrowedBy}, it is for ${meant.join(' and ')}`);
    }
    narrowedBy = `--${name}`;
  }
  return subjects;
}
