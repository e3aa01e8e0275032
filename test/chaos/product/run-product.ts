import { setTimeout as pause } from 'node:timers/promises';
import type { PrivateNode } from '@warren/local-broker';
import { seededRandom } from '../support/random.ts';
import { Poster } from './poster.ts';
import { Product } from './product.ts';
import { type Changes, changesByRebuild } from './rebuild.ts';
import { strikes, TARGETS, type Target } from './strikes.ts';
import { isClean, judge, type Verdict } from './verdict.ts';

/** How long, and in which order. */
export interface ProductChaosOptions {
  /** How long jobs are posted and processes killed, at least. */
  readonly seconds: number;
  readonly seed: number;
}

/** The last line of `npm run chaos -- --scenario product`. */
export interface ProductReport extends Verdict, ProductChaosOptions {
  readonly scenario: 'product';
  readonly broker: string;
  readonly kills: Readonly<Record<Target, number>>;
  /** Nothing is other than promised. */
  readonly clean: boolean;
  /** What did not come to rest, or undefined. */
  readonly problem: string | undefined;
}

const JOBS_PER_SECOND = 200;
const PROGRESS_MS = 5_000;
const SETTLE_MS = 90_000;
/** The order of the kills does not depend on how many jobs were drawn meanwhile. */
const JOBS_SEED = 0x9e3779b9;

/** Posts jobs while gateway, worker, tracker and broker are killed, lets everything come to its end, and adds up. */
export async function runProduct(
  node: PrivateNode,
  { seconds, seed }: ProductChaosOptions,
  print: (line: string) => void,
): Promise<ProductReport> {
  const startedMs = Date.now();
  const elapsed = () => ((Date.now() - startedMs) / 1_000).toFixed(1).padStart(6);
  const say = (text: string) => print(`${elapsed()} s  ${text}`);
  const product = await Product.start(node);
  say(`all is up; logs: ${product.logs}`);
  const poster = new Poster(product.gatewayUrl, seededRandom(seed ^ JOBS_SEED));
  const timer = setInterval(() => say(`accepted ${poster.accepted.length}`), PROGRESS_MS);
  let isClosedClean = false;
  try {
    const kills = await underFire(product, poster, { seconds, seed }, say);
    say('no more kills; the rest is handled');
    const { rebuilt, problem } = await comeToRest(product);
    const verdict = await judge(product, poster, rebuilt);
    const clean = problem === undefined && isClean(verdict);
    isClosedClean = clean;
    const { version: broker } = node;
    return { scenario: 'product', seconds, seed, broker, kills, clean, problem, ...verdict };
  } finally {
    clearInterval(timer);
    await product.close(!isClosedClean);
  }
}

/** Every target dies once at least. */
async function underFire(
  product: Product,
  poster: Poster,
  { seconds, seed }: ProductChaosOptions,
  say: (text: string) => void,
): Promise<Record<Target, number>> {
  const kills: Record<Target, number> = { gateway: 0, worker: 0, tracker: 0, broker: 0 };
  const endsAtMs = Date.now() + seconds * 1_000;
  const isOver = () => Date.now() >= endsAtMs && TARGETS.every((one) => kills[one] > 0);
  let isStriking = true;
  const strike = async () => {
    for (const next of strikes(seededRandom(seed))) {
      if (isOver()) return;
      await pause(next.quietMs);
      say(`kill: ${next.targets.join(' and ')}`);
      for (const target of next.targets) kills[target] += 1;
      await product.strike(next);
    }
  };
  const striking = strike().finally(() => {
    isStriking = false;
  });
  await Promise.all([striking, poster.postWhile(() => isStriking, JOBS_PER_SECOND)]);
  return kills;
}

/** Where it does not, what is there is added up. */
async function comeToRest(
  product: Product,
): Promise<{ rebuilt: Changes; problem: string | undefined }> {
  try {
    await product.settle(SETTLE_MS);
    return { rebuilt: await changesByRebuild(product.bench, product.env), problem: undefined };
  } catch (error) {
    return { rebuilt: { rows: 0, changed: {} }, problem: (error as Error).message };
  }
}
