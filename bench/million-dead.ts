import type { LetterGroup } from '@warren/dead-letter';
import { BareInstallation } from './bare.ts';
import { buryLetters } from './dead/letters.ts';
import type { LookAnswer, LookOrder } from './dead/look-program.ts';
import { readInOrder } from './dead/read-in-order.ts';
import { runProgram } from './dead/run-program.ts';
import { benchJob } from './job.ts';
import { millionOptions } from './million-options.ts';

/**
 * Fills a queue with a million small dead letters, and lists and groups them by `warren dead`, without a store. Says how long
 * each took and what memory, and looks whether all are still there, each in its place. Ends with 1 when one is not, when the
 * groups do not add up, or when memory grew with the number of letters.
 */
const NAMESPACE = 'benchmilliondead';
/** Of a look at any number of letters; a hundred thousand of them in memory would be past it. */
const MAX_GROWTH_MB = 96;
const LEAST = 1_000;

const { count, url } = millionOptions({
  name: 'bench:million-dead',
  does: 'Lists and groups a million dead letters: ends with 1 when one is not in its place afterwards, or memory grew with their number.',
  least: LEAST,
});

/** As it is run by `npx warren`: without the flags of a service. */
async function look(command: 'list' | 'groups'): Promise<LookAnswer> {
  const order: LookOrder = { args: ['dead', command, benchJob.type], url, namespace: NAMESPACE };
  const answer = await runProgram<LookAnswer>('bench/dead/look-program.ts', order, [
    '--import',
    'tsx',
  ]);
  const { seconds, peakMb, growthMb } = answer;
  say(
    `warren dead ${command}: ${seconds.toFixed(1)} s, ${Math.round(peakMb)} MB at most, ${Math.round(growthMb)} of it while it looked`,
  );
  return answer;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

const bare = new BareInstallation(url, NAMESPACE);
const { names } = bare.topology;
try {
  await bare.declare();
  const connection = await bare.connect();
  const startedAt = performance.now();
  await buryLetters(connection, names, count, (order) => Buffer.from(`{"order":${order}}`));
  say(`${count} dead letters after ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  const looks = [await look('list')];
  const groups = await look('groups');
  // All of them came back once by now, so that a look must go on to the last to give back in order.
  looks.push(groups, await look('list'));
  const grouped = groups.said as { readonly depth: number; readonly groups: LetterGroup[] };
  const inGroups = grouped.groups.reduce((sum, group) => sum + group.count, 0);
  const queue = names.deadQueue(benchJob.type);
  const { found, outOfPlace } = await readInOrder(connection, queue, count, ({ content }) =>
    Number((JSON.parse(content.toString()) as { order: number }).order),
  );
  await connection.close();
  const growthMb = Math.round(Math.max(...looks.map((one) => one.growthMb)));
  const missing = count - found;
  const result = { count, missing, outOfPlace, groups: grouped.groups.length, growthMb };
  say(JSON.stringify(result));
  const depths = looks.map(({ said }) => (said as { readonly depth: number }).depth);
  const isCounted = [...depths, inGroups].every((one) => one === count);
  if (!isCounted || missing > 0 || outOfPlace > 0 || growthMb > MAX_GROWTH_MB) process.exitCode = 1;
} finally {
  await bare.dispose();
}
