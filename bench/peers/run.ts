import { useLargerPools } from '../as-services-run.ts';
import { BareInstallation } from '../bare.ts';
import { optionLines, readOptions } from '../cli.ts';
import { optionsOf } from '../command-line.ts';
import { runScenarios } from '../run-scenarios.ts';
import { allScenarios, namesOf } from '../scenarios/index.ts';
import { compareAll, PEER_SCENARIOS } from './scenarios.ts';
import { startPeers } from './start-peers.ts';

/**
 * Everything: the kit against hand-written amqplib, and against what people would pick instead, each as its own
 * documentation sets it up. `--only peers` leaves the first out; `--scale 0.2` gives the second, and the replay, a fifth of
 * the jobs.
 */
const known = {
  defaultRounds: 3,
  names: (scale: number) => [...namesOf(allScenarios, scale), ...PEER_SCENARIOS],
};
const { url, rounds, scale, resume, select } = optionsOf({
  name: 'bench:full',
  usage: `Usage: npm run bench:full -- [--only NAME] [--scale S] ...

Compares with the same work written by hand on amqplib, and with other job systems; \`--only peers\` leaves the first out.
Writes bench/results/latest.json and latest.md.

${optionLines(known)}`,
  read: (args) => readOptions(args, known),
});
useLargerPools();
const broker = await BareInstallation.versionOf(url);
// Asked to end, it ends what it has started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const databaseUrl = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const peers = await startPeers(url, databaseUrl);
try {
  const scenarios = select([
    ...allScenarios(url, { scale, broker }),
    ...compareAll(url, peers.systems, scale),
  ]);
  const versions = { rabbitmq: broker, ...peers.versions };
  await runScenarios({ rounds, resume, scenarios, versions });
} finally {
  await peers.stop();
}
