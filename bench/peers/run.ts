import { useLargerPools } from '../as-services-run.ts';
import { readOptions } from '../cli.ts';
import { runScenarios } from '../run-scenarios.ts';
import { allScenarios } from '../scenarios/index.ts';
import { compareAll } from './scenarios.ts';
import { startPeers } from './start-peers.ts';

/**
 * Everything: the kit against hand-written amqplib, and against what people would pick instead, each as its own
 * documentation sets it up. `--only peers` leaves the first out; `--scale 0.2` gives the second, and the replay, a fifth of
 * the jobs.
 */
useLargerPools();
const { url, rounds, scale, select } = readOptions(3);
// Asked to end, it ends what it has started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const databaseUrl = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const peers = await startPeers(url, databaseUrl);
try {
  const scenarios = select([...allScenarios(url, scale), ...compareAll(url, peers.systems, scale)]);
  await runScenarios({ url, rounds, scenarios, versions: peers.versions });
} finally {
  await peers.stop();
}
