import type { PrivateNode } from '@warren/local-broker';
import type { ChaosOptions } from './command-line.ts';
import { makeFaults } from './faults.ts';
import { seededRandom } from './random.ts';
import { type Account, Stage } from './stage.ts';

/** The last line of `npm run chaos`. */
export interface ChaosReport extends Account, ChaosOptions {
  readonly broker: string;
  readonly faults: Readonly<Record<string, number>>;
}

/** Jobs waiting at once: more would only tell how fast a backlog is worked off. */
const MAX_BACKLOG = 20_000;
const PROGRESS_MS = 1_000;
/** How long the jobs that are left may take once there are no more faults. */
const SETTLE_MS = 120_000;

/** Publishes under faults for `seconds`, lets everything come to its end, and adds up. */
export async function runChaos(
  node: PrivateNode,
  { seconds, seed }: ChaosOptions,
  print: (line: string) => void,
): Promise<ChaosReport> {
  const stage = await Stage.open(node);
  const startedMs = Date.now();
  const elapsed = () => ((Date.now() - startedMs) / 1_000).toFixed(1).padStart(6);
  const say = (text: string) => print(`${elapsed()} s  ${text}`);
  const tell = () => say(`accepted ${stage.accepted}, waiting ${stage.missing}`);
  const timer = setInterval(tell, PROGRESS_MS);
  const faults: Record<string, number> = {};
  const isOver = () => Date.now() - startedMs >= seconds * 1_000;
  try {
    await Promise.all([
      stage.publishWhile(() => !isOver(), MAX_BACKLOG),
      makeFaults(node, seededRandom(seed), isOver, (name) => {
        faults[name] = (faults[name] ?? 0) + 1;
        say(`fault: ${name}`);
      }),
    ]);
    say('no more faults; the rest is handled');
    await stage.settle(SETTLE_MS).catch((error: unknown) => say((error as Error).message));
    return { seconds, seed, broker: node.version, ...(await stage.account()), faults };
  } finally {
    clearInterval(timer);
    await stage.close();
  }
}
