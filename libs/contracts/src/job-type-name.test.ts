import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkJobTypeName } from './job-type-name.ts';

describe('checkJobTypeName', () => {
  it.each([
    'a',
    'email.send',
    'email.send-2',
    'media.video_transcode',
    'a.1',
    'deadline',
    'x.dead.y',
  ])('takes %s', (name) => {
    expect(() => checkJobTypeName(name)).not.toThrow();
  });

  it.each([
    '',
    '.',
    'a.',
    '.a',
    'a..b',
    'Email',
    'email send',
    'email/send',
    'email.*',
    'email.#',
    '1a',
    '-a',
    'a.-b',
    'ä',
    'a\n',
    'a\u0000',
    '__proto__',
    5,
    null,
    undefined,
    ['a'],
  ])('refuses %j, naming the option', (name) => {
    expect(() => checkJobTypeName(name as string)).toThrow(/^type: .*lower-case words/);
  });

  it.each(['x.high', 'x.low', 'x.suspect', 'x.dead', 'a.b.dead'])(
    'reserves the ending of %s',
    (name) => {
      expect(() => checkJobTypeName(name)).toThrow(/may not end in/);
    },
  );

  it.each(['retry.x', 'jobs.x', 'events.x', 'amq.x'])('reserves the beginning of %s', (name) => {
    expect(() => checkJobTypeName(name)).toThrow(/may not begin with/);
  });

  it.each(['jobs', 'events', 'retry', 'amq'])('reserves %s', (name) => {
    expect(() => checkJobTypeName(name)).toThrow(/is reserved/);
  });

  it('takes 128 characters and no more', () => {
    expect(() => checkJobTypeName('a'.repeat(128))).not.toThrow();
    expect(() => checkJobTypeName('a'.repeat(129))).toThrow(/longer than 128/);
  });

  it('takes nothing that means more than itself in a binding', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '.', '*', '#', ' ', '1') }), (name) => {
        fc.pre(/[*# ]/.test(name));
        expect(() => checkJobTypeName(name)).toThrow();
      }),
    );
  });
});
