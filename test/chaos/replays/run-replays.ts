import type { PrivateNode } from '@warren/local-broker';
import { openStore } from '@warren/store';
import { dropStore, quietTelemetry, sharedDatabaseUrl } from '@warren/testing';
import type { ChaosOptions } from '../support/command-line.ts';
import { seededRandom } from '../support/random.ts';
import { type KillReport, killReplays } from './kill-replays.ts';

/** The last line of `npm run chaos -- --scenario replays`. */
export interface ReplaysReport extends ChaosOptions, KillReport {
  readonly scenario: 'replays';
  readonly broker: string;
  /** All were replayed, none lost, none more often than kills explain, and the ledger says so. */
  readonly clean: boolean;
}

const LETTERS = 10_000;
const KILLS = 50;
/** That of the command. */
const WINDOW = 200;

/** Replays 10,000 dead letters, over as many seconds as are asked for, while the replayer is killed 50 times. */
export async function runReplays(
  node: PrivateNode,
  { seconds, seed }: ChaosOptions,
  print: (line: string) => void,
): Promise<ReplaysReport> {
  const databaseUrl = sharedDatabaseUrl();
  const namespaces: string[] = [];
  const report = await killReplays({
    letters: LETTERS,
    kills: KILLS,
    window: WINDOW,
    databaseUrl,
    url: node.url,
    ratePerSecond: LETTERS / seconds,
    random: seededRandom(seed),
    print,
    openStore(namespace) {
      namespaces.push(namespace);
      print(`${LETTERS} dead letters, ${KILLS} kills`);
      const { logger } = quietTelemetry();
      return openStore({ databaseUrl, dataDir: '', namespace, logger });
    },
  }).finally(() => Promise.all(namespaces.map(dropStore)));
  const { replayed, lost, strangers, repeats, ledger } = report;
  const isRight = ledger.state === 'ended' && ledger.chosen === LETTERS && ledger.done === LETTERS;
  const clean =
    replayed === LETTERS && lost + strangers === 0 && repeats <= KILLS * WINDOW && isRight;
  return { scenario: 'replays', broker: node.version, seconds, seed, ...report, clean };
}
