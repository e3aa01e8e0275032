import { useLargerPools } from './as-services-run.ts';
import { readOptions } from './cli.ts';
import { runScenarios } from './run-scenarios.ts';
import { allScenarios, quickScenarios } from './scenarios/index.ts';

/**
 * Compares the kit with the same work written by hand on amqplib: rounds of each in turn, in one run, medians, ratios.
 * Both sides use the same quorum queues, persistent mandatory confirmed publishes, and the same payload.
 */
useLargerPools();
const { url, rounds, scale, only, select } = readOptions(5);
if (scale !== 1 && !only?.startsWith('replay')) {
  throw new TypeError('--scale: only for replay, and for comparisons with other systems');
}
// Who names a scenario may name any.
const scenarios = only === undefined ? quickScenarios(url) : allScenarios(url, scale);
await runScenarios({ url, rounds, scenarios: select(scenarios) });
