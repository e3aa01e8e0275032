import { buildTopology } from '@warren/topology';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../exit-codes.ts';
import { findSource } from './find-source.ts';

const jobTypes = ['email.send', 'report.make'];
const plain = buildTopology({ jobTypes });
const shop = buildTopology({ namespace: 'shop', jobTypes });

const email = (prefix: string) => ({
  queue: `${prefix}email.send.dead`,
  workQueue: `${prefix}email.send`,
  jobType: 'email.send',
  isGuess: false,
});

describe('findSource', () => {
  it.each(['email.send', 'email.send.dead'])('finds %s without a namespace', (name) => {
    expect(findSource(name, plain)).toEqual(email(''));
  });

  it.each(['email.send', 'shop.email.send', 'email.send.dead', 'shop.email.send.dead'])(
    'finds %s within a namespace',
    (name) => {
      expect(findSource(name, shop)).toEqual(email('shop.'));
    },
  );

  it.each(['jobs.unroutable', 'shop.jobs.unroutable'])('finds %s', (name) => {
    const { queue, workQueue } = findSource(name, shop);
    expect({ queue, workQueue }).toEqual({ queue: 'shop.jobs.unroutable', workQueue: undefined });
  });

  it('takes a queue of a job type that is gone, if the broker has it', () => {
    expect(findSource('old.thing.dead', shop)).toEqual({
      queue: 'shop.old.thing.dead',
      workQueue: 'shop.old.thing',
      jobType: undefined,
      isGuess: true,
    });
  });

  it.each([
    ['emial.send', 'did you mean email.send?'],
    ['report.maek', 'did you mean report.make?'],
    ['jobs.unroutabel', 'did you mean jobs.unroutable?'],
    ['zzz', 'known: email.send, report.make, jobs.unroutable'],
    ['email.send.suspect', 'did you mean'],
    ['retry.24h', 'known:'],
    // More bytes than a name may have at the broker, in fewer letters.
    [`${'ä'.repeat(130)}.dead`, 'known:'],
  ])('refuses %s: %s', (name, hint) => {
    expect(() => findSource(name, plain)).toThrow(UsageError);
    expect(() => findSource(name, plain)).toThrow(hint);
  });
});
