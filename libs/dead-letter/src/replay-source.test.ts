import { buildTopology } from '@warren/topology';
import { describe, expect, it } from 'vitest';
import { replayTargets, targetOf } from './replay-source.ts';

const topology = buildTopology({ namespace: 'shop', jobTypes: ['a.b', 'c.d'] });
const own = { queue: 'shop.a.b.dead', workQueue: 'shop.a.b' };
const gone = { queue: 'shop.old.dead', workQueue: 'shop.old' };
const unroutable = { queue: 'shop.jobs.unroutable', workQueue: undefined };

describe('targetOf', () => {
  it.each([
    ['the queue that it failed in', 'shop.a.b', 'x', own, 'shop.a.b'],
    ['the suspects', 'shop.a.b.suspect', 'x', own, 'shop.a.b.suspect'],
    ['another queue that is known', 'shop.c.d', 'x', own, 'shop.c.d'],
    ['the source’s, for one that is not', 'elsewhere', 'x', own, 'shop.a.b'],
    ['the source’s, for one that is no work queue', 'shop.retry.24h', 'x', own, 'shop.a.b'],
    ['the source’s, for none', undefined, 'shop.c.d', own, 'shop.a.b'],
    ['the source’s, of a job type that is gone', undefined, 'x', gone, 'shop.old'],
    ['its lane', 'shop.old.high', 'x', gone, 'shop.old.high'],
    ['its suspects', 'shop.old.suspect', 'x', gone, 'shop.old.suspect'],
    ['for the unroutable what it was meant for', undefined, 'shop.c.d', unroutable, 'shop.c.d'],
    ['for the unroutable its origin first', 'shop.a.b', 'shop.c.d', unroutable, 'shop.a.b'],
    ['nothing where neither is known', 'elsewhere', 'shop.old', unroutable, undefined],
  ])('%s', (_, origin, routingKey, source, expected) => {
    const targets = replayTargets(topology, source);
    expect(targetOf({ origin, routingKey }, source, targets)).toBe(expected);
  });
});
