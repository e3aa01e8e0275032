import { openStore } from '@warren/store';
import { dropStore, quietTelemetry, sharedDatabaseUrl } from '@warren/testing';
import { expect, it } from 'vitest';
import { killReplays } from './replays/kill-replays.ts';
import { seededRandom } from './support/random.ts';

const LETTERS = 300;
const KILLS = 3;
const WINDOW = 20;

it('a replay that is killed and resumed loses nothing, repeats its window at most, and has a right ledger', async () => {
  const namespaces: string[] = [];
  const databaseUrl = sharedDatabaseUrl();
  const report = await killReplays({
    letters: LETTERS,
    kills: KILLS,
    window: WINDOW,
    ratePerSecond: 200,
    databaseUrl,
    random: seededRandom(6),
    openStore(namespace) {
      namespaces.push(namespace);
      const { logger } = quietTelemetry();
      return openStore({ databaseUrl, dataDir: '', namespace, logger });
    },
  }).finally(() => Promise.all(namespaces.map(dropStore)));
  expect(report).toMatchObject({
    replayed: LETTERS,
    lost: 0,
    strangers: 0,
    ledger: { state: 'ended', chosen: LETTERS, done: LETTERS },
  });
  expect(report.repeats).toBeLessThanOrEqual(KILLS * WINDOW);
});
