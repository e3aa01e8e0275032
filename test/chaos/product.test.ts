import { startPrivateNode } from '@warren/local-broker';
import { describe, expect, it } from 'vitest';
import { runProduct } from './product/run-product.ts';
import { strikes, TARGETS } from './product/strikes.ts';
import { noPrivateNode } from './support/private-roots.ts';
import { seededRandom } from './support/random.ts';

const SECONDS = 15;
const SEED = Date.now() % 1_000_000;

describe.skipIf(noPrivateNode)(
  'gateway, worker, tracker and broker, killed in random order',
  () => {
    it('take every accepted job to its end, and the store tells what was done', async () => {
      const node = await startPrivateNode();
      const said: string[] = [];
      try {
        const report = await runProduct(node, { seconds: SECONDS, seed: SEED }, (line) => {
          said.push(line);
        });
        const why = `${JSON.stringify(report, undefined, 1)}\n${said.join('\n')}`;
        console.log(JSON.stringify(report));
        expect(report.clean, why).toBe(true);
        for (const target of TARGETS) expect(report.kills[target], why).toBeGreaterThan(0);
        expect(report.succeeded, why).toBeGreaterThan(0);
        expect(report.dead, why).toBeGreaterThan(0);
      } finally {
        await node.stop();
      }
    });
  },
);

it('kills in the same order for the same seed, and everything in each round', () => {
  const draw = (seed: number) => {
    const all = strikes(seededRandom(seed));
    return Array.from({ length: 40 }, () => all.next().value);
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
  const killed = draw(7).flatMap(({ targets }) => targets);
  for (let from = 0; from + 4 <= killed.length; from += 4) {
    expect(new Set(killed.slice(from, from + 4))).toEqual(new Set(TARGETS));
  }
});
