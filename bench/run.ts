import { useLargerPools } from './as-services-run.ts';
import { BareInstallation } from './bare.ts';
import { readOptions } from './cli.ts';
import { runScenarios } from './run-scenarios.ts';
import { allScenarios, quickScenarios } from './scenarios/index.ts';

/**
 * Compares the kit with the same work written by hand on amqplib: rounds of each in turn, in one run, medians, ratios.
 * Both sides use the same quorum queues, persistent mandatory confirmed publishes, and the same payload.
 */
useLargerPools();
const { url, rounds, scale, only, resume, select } = readOptions(5);
if (scale !== 1 && only === undefined) {
  throw new TypeError('--scale: only with --only, and for comparisons with other systems');
}
// Who names a scenario may name any.
const broker = await BareInstallation.versionOf(url);
const make = only === undefined ? quickScenarios : allScenarios;
await runScenarios({
  rounds,
  resume,
  scenarios: select(make(url, { scale, broker })),
  versions: { rabbitmq: broker },
});
