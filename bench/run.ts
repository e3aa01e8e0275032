import { useLargerPools } from './as-services-run.ts';
import { BareInstallation } from './bare.ts';
import { optionLines, readOptions } from './cli.ts';
import { optionsOf, UsageError } from './command-line.ts';
import { runScenarios } from './run-scenarios.ts';
import { allScenarios, namesOf, quickScenarios } from './scenarios/index.ts';

/**
 * Compares the kit with the same work written by hand on amqplib: rounds of each in turn, in one run, medians, ratios.
 * Both sides use the same quorum queues, persistent mandatory confirmed publishes, and the same payload.
 */
const known = { defaultRounds: 5, names: (scale: number) => namesOf(allScenarios, scale) };
const { url, rounds, scale, only, resume, select } = optionsOf({
  name: 'bench',
  usage: `Usage: npm run bench -- [--only NAME] [--rounds N] ...

Compares publishing, consuming, end to end, HTTP and retries with the same work written by hand on amqplib; any other scenario
by its name. With DATABASE_URL there is one more, \`once\`. Writes bench/results/latest.json and latest.md.

${optionLines(known)}`,
  read(args) {
    const options = readOptions(args, known);
    if (options.scale !== 1 && options.only === undefined) {
      throw new UsageError('--scale: only with --only, and for comparisons with other systems');
    }
    return options;
  },
});
useLargerPools();
// Who names a scenario may name any.
const broker = await BareInstallation.versionOf(url);
const make = only === undefined ? quickScenarios : allScenarios;
await runScenarios({
  rounds,
  resume,
  scenarios: select(make(url, { scale, broker })),
  versions: { rabbitmq: broker },
});
