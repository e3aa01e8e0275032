import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { BareInstallation } from './bare.ts';
import { compare, type Result, type Scenario } from './compare.ts';
import { toTable } from './report.ts';
import { consume } from './scenarios/consume.ts';
import { endToEnd } from './scenarios/end-to-end.ts';
import { http } from './scenarios/http.ts';
import { once } from './scenarios/once.ts';
import { publish } from './scenarios/publish.ts';
import { publishMany } from './scenarios/publish-many.ts';
import { retryLateness } from './scenarios/retry-lateness.ts';

/**
 * Compares the kit with the same work written by hand on amqplib: rounds of each in turn, in one run, medians, ratios.
 * Both sides use the same quorum queues, persistent mandatory confirmed publishes, and the same payload.
 */
const SCENARIOS: readonly ((url: string) => Scenario[])[] = [
  publish,
  publishMany,
  consume,
  endToEnd,
  http,
  once,
  retryLateness,
];

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
    url: {
      type: 'string',
      default: process.env['AMQP_URL'] ?? 'amqp://guest:guest@127.0.0.1:5672',
    },
  },
});

const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) {
  throw new TypeError(`--rounds: expected a whole number from 1, got ${values.rounds}`);
}
const scenarios = SCENARIOS.flatMap((make) => make(values.url)).filter(
  ({ name }) => values.only === undefined || name.includes(values.only),
);
if (scenarios.length === 0) throw new TypeError(`--only: no scenario is named ${values.only}`);

const versions = { node: process.version, rabbitmq: await BareInstallation.versionOf(values.url) };
const machine = `${cpus()[0]?.model ?? 'unknown CPU'}, ${cpus().length} cores`;
process.stdout.write(`${machine}; Node ${versions.node}, RabbitMQ ${versions.rabbitmq}\n`);

const results: Result[] = [];
for (const scenario of scenarios) {
  process.stdout.write(`${scenario.name}: ${scenario.subject.name} and ${scenario.against.name} `);
  results.push(await compare(scenario, rounds, () => process.stdout.write('.')));
  process.stdout.write('\n');
}

mkdirSync(new URL('results/', import.meta.url), { recursive: true });
writeFileSync(
  new URL('results/latest.json', import.meta.url),
  `${JSON.stringify({ machine, versions, rounds, results }, null, 2)}\n`,
);
process.stdout.write(`\n${toTable(results)}\n`);
