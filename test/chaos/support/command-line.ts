import { parseArgs } from 'node:util';

/** How long a run of `npm run chaos` takes, and which. */
export interface ChaosOptions {
  readonly seconds: number;
  readonly seed: number;
}

/** What is broken, and what is looked at. */
export const SCENARIOS = [
  'broker',
  'product',
  'storm',
  'cluster',
  'windows',
  'lanes',
  'replays',
] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** What `npm run chaos` is asked for. */
export interface ChaosRequest extends ChaosOptions {
  readonly scenario: Scenario;
}

/** The arguments cannot be used; the message names the option. */
export class UsageError extends Error {}

export const USAGE = `Usage: npm run chaos -- [--scenario NAME] [--seconds N | --minutes N] [--seed S]

Publishes and handles jobs on a private RabbitMQ while things are broken. Ends with one line of JSON.

  --seconds N    how long to publish, 1 to 86400 (default 30; product: 60)
  --minutes N    the same in minutes
  --seed S       a whole number: the same seed makes the same faults in the same order (default: a random one)
  --scenario     one of:
    storm        (default) all faults that are known, on one node and worker processes: connections closed, cut, slow or
                 half-open, the node restarted, killed and frozen, memory and disk alarms, queue, exchange and binding
                 deleted, workers killed and replaced
    broker       client and worker in one process; connections are closed, the node is restarted, killed and frozen, its
                 memory alarm is raised
    cluster      three nodes; the leader of the work queue is killed, frozen or cut off every 20 seconds
    windows      connections are closed 200 times, and workers replaced 20 times, at least: no job is set aside for it
    lanes        nothing is broken: the high lane of a job type is always loaded, the low one gets its share
    replays      10,000 dead letters are replayed over so many seconds, while the replayer is killed 50 times; PostgreSQL
                 as for product
    product      jobs are posted to a gateway while gateway, worker, tracker and node are killed, each a process of its
                 own; PostgreSQL is the one in TEST_DATABASE_URL, by default one on 127.0.0.1:5432

Exit code: 0 all is as promised, 1 something was lost or is wrong, 2 wrong use, or no RabbitMQ server.`;

const MAX_SECONDS = 86_400;
const MAX_SEED = 2 ** 32 - 1;

const OPTIONS = ['help', 'scenario', 'seconds', 'minutes', 'seed'];

/**
 * Undefined when help is asked for.
 * @throws UsageError naming the option
 */
export function readChaosOptions(args: readonly string[]): ChaosRequest | undefined {
  const { values, tokens } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean' },
      scenario: { type: 'string' },
      seconds: { type: 'string' },
      minutes: { type: 'string' },
      seed: { type: 'string' },
    },
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === 'positional') throw new UsageError(`unknown argument ${token.value}`);
    if (token.kind === 'option' && !OPTIONS.includes(token.name)) {
      throw new UsageError(`unknown option ${token.rawName}`);
    }
  }
  if (values['help']) return undefined;
  const scenario = scenarioOf(values['scenario']);
  return {
    scenario,
    seconds: secondsOf(scenario, values),
    seed:
      wholeNumber('--seed', values['seed'], 0, MAX_SEED) ?? Math.floor(Math.random() * MAX_SEED),
  };
}

function scenarioOf(value: unknown): Scenario {
  const scenario = SCENARIOS.find((one) => one === (value ?? 'storm'));
  if (scenario) return scenario;
  throw new UsageError(`--scenario: expected one of ${SCENARIOS.join(', ')}, got ${value}`);
}

function secondsOf(scenario: Scenario, { seconds, minutes }: Record<string, unknown>): number {
  if (seconds !== undefined && minutes !== undefined) {
    throw new UsageError('--minutes: not together with --seconds');
  }
  const inMinutes = wholeNumber('--minutes', minutes, 1, MAX_SECONDS / 60);
  if (inMinutes !== undefined) return 60 * inMinutes;
  const usual = scenario === 'product' ? 60 : 30;
  return wholeNumber('--seconds', seconds, 1, MAX_SECONDS) ?? usual;
}

function wholeNumber(name: string, value: unknown, min: number, max: number): number | undefined {
  if (value === undefined) return undefined;
  const number = typeof value === 'string' && value !== '' ? Number(value) : Number.NaN;
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  throw new UsageError(`${name}: expected a whole number from ${min} to ${max}, got ${value}`);
}
