import { describe, expect, it } from 'vitest';
import { queueTable } from './queue-table.ts';

const line = {
  queue: 'a.b',
  exists: true,
  ready: 1,
  running: 3,
  retrying: 4,
  suspects: 5,
  dead: 6,
  consumers: 7,
  leased: 2,
  expiredLeases: 0,
  inPerSecond: 8.25,
  outPerSecond: 120.4,
  changePerSecond: -2,
  drainSeconds: 90,
};
const look = {
  queues: [line],
  unroutable: 0,
  tiers: [],
  problem: undefined,
  ratesProblem: undefined,
};
const plain = (_colour: string, text: string) => text;

describe('queueTable', () => {
  it('shows where the jobs are, how they move, and below what is out of the ordinary', () => {
    expect(queueTable(look, plain)).toMatch(
      /^queue +ready .*\na\.b +1 +3 +2 +4 +5 +6 +7 +8\.3 +120 +-2\.0 +2 min\n$/,
    );
    const queues = [{ ...line, expiredLeases: 8 }];
    const tiers = [
      { tier: '1s', waiting: 3 },
      { tier: '2h', waiting: 4 },
    ];
    expect(queueTable({ ...look, queues, tiers, unroutable: 9 }, plain)).toMatch(
      /\nretrying by tier, all queues: 1s 3, 2h 4\nexpired leases of a\.b: 8; .*\n9 in jobs\.unroutable, .*\n$/,
    );
  });

  it('leaves out what only a store, the management API or a second look knows', () => {
    const unknown = { running: undefined, retrying: undefined, leased: undefined };
    const still = { changePerSecond: undefined, drainSeconds: undefined };
    const queues = [{ ...line, ...unknown, ...still, expiredLeases: undefined }];
    const text = queueTable({ ...look, queues, problem: 'gone', ratesProblem: 'off' }, plain);
    expect(text).toMatch(/a\.b +1 +- +- +- +5 +6 +7 +- +-\n$/);
    expect(text).not.toContain('in/s');
  });

  it.each([120, 80, 60, 40, 20])('has no line longer than %i', (width) => {
    const queues = [line, { ...line, queue: `${'long.'.repeat(12)}name` }];
    const tiers = [{ tier: '30s', waiting: 1_234_567 }];
    const text = queueTable({ ...look, queues, tiers, unroutable: 9 }, plain, width);
    const longest = Math.max(...text.split('\n').map(({ length }) => length));
    expect(longest).toBeLessThanOrEqual(width);
    expect(text).toContain('long');
    if (width >= 40) expect(text).toMatch(/^queue +ready .*dead.* empty in\n/);
  });

  it('keeps the names whole as long as leaving out columns is enough', () => {
    const text = queueTable(look, plain, 70);
    expect(text).toMatch(/^queue {2}ready {2}/);
    expect(text).not.toContain('leased');
    expect(text).toContain('out/s');
  });
});
