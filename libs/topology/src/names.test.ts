import { ConfigInvalidError } from '@warren/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNames } from './names.ts';

describe('createNames', () => {
  it('gives the names that people read in the console', () => {
    const names = createNames();
    expect(names).toMatchObject({
      namespace: undefined,
      jobs: 'jobs',
      due: 'jobs.due',
      dead: 'jobs.dead',
      unroutable: 'jobs.unroutable',
    });
    expect(names.retry({ name: '30s' })).toBe('retry.30s');
    expect(names.workQueue('email.send')).toBe('email.send');
    expect(names.suspectQueue('email.send')).toBe('email.send.suspect');
    expect(names.deadQueue('email.send')).toBe('email.send.dead');
  });

  it('prefixes every name with the namespace', () => {
    const names = createNames('blue');
    expect([names.jobs, names.due, names.dead, names.unroutable]).toEqual([
      'blue.jobs',
      'blue.jobs.due',
      'blue.jobs.dead',
      'blue.jobs.unroutable',
    ]);
    expect(names.retry({ name: '30s' })).toBe('blue.retry.30s');
    expect(names.workQueue('email.send')).toBe('blue.email.send');
    expect(names.deadQueue('email.send')).toBe('blue.email.send.dead');
  });

  it('names the lock of a replay so that no job type can meet it, with the namespace once', () => {
    const names = createNames('blue');
    expect(names.replayLock(names.deadQueue('a.b'))).toBe('blue.jobs.replay.a.b.dead');
    expect(names.replayLock(names.unroutable)).toBe('blue.jobs.replay.jobs.unroutable');
    expect(createNames().replayLock('a.b.dead')).toBe('jobs.replay.a.b.dead');
  });

  it.each(['', 'a.b', 'A', '1a', '-a', 'a b', 'a#', 'ä', 'a\n', 'a'.repeat(41)])(
    'refuses %j as a namespace',
    (namespace) => {
      expect(() => createNames(namespace)).toThrow(/^namespace: /);
    },
  );

  it.each(['jobs', 'retry', 'events', 'amq'])('refuses the reserved word %s', (namespace) => {
    expect(() => createNames(namespace)).toThrow('is reserved');
  });

  it('refuses what is not text with the same error', () => {
    for (const value of [null, 7, {}, ['a']]) {
      expect(() => createNames(value as unknown as string)).toThrow(ConfigInvalidError);
    }
  });

  it('takes one word of up to 40 characters', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9_-]{0,39}$/);
    const reserved = new Set(['jobs', 'retry', 'events', 'amq']);
    fc.assert(
      fc.property(word, (namespace) => {
        fc.pre(!reserved.has(namespace));
        expect(createNames(namespace).jobs).toBe(`${namespace}.jobs`);
      }),
    );
  });
});
