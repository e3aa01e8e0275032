import { defineJob, pii } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { DeadLetter } from './dead-letter.ts';
import { letterView } from './letter-view.ts';

const mail = defineJob({
  type: 'email.send',
  schema: z.strictObject({ to: pii(z.string()), count: z.number() }),
});
const open = defineJob({ type: 'open.one', schema: z.object({ a: z.number() }) });

function letter(body: string, payloadVersion = 1, error?: string): DeadLetter {
  const facts = { payloadVersion, contentEncoding: undefined, error };
  return { body: Buffer.from(body), ...facts } as DeadLetter;
}

describe('letterView', () => {
  it('redacts what the job type marks', async () => {
    expect(await letterView(letter('{"to":"you","count":1}'), mail, false)).toEqual({
      payload: { to: '[redacted]', count: 1 },
      error: undefined,
    });
  });

  it('shows all on demand, and where nothing is marked', async () => {
    const body = '{"to":"you","count":1}';
    expect(await letterView(letter(body), mail, true)).toMatchObject({ payload: JSON.parse(body) });
    expect(await letterView(letter('{"b":"x"}'), open, false)).toMatchObject({
      payload: { b: 'x' },
    });
  });

  it.each([
    ['a slip in a name', '{"too":"you","list":[{"x":"you"}]}', 1],
    ['another version', '{"to":"you","count":1}', 2],
  ])('hides every value of a payload that does not fit: %s', async (_, body, version) => {
    const view = await letterView(letter(body, version), mail, false);
    expect(JSON.stringify(view)).not.toContain('you');
    expect(view.note).toContain('does not fit');
    expect(Object.keys(view.payload as object)).toEqual(Object.keys(JSON.parse(body) as object));
  });

  it('hides every value where the job type is not known', async () => {
    const view = await letterView(letter('"you"'), undefined, false);
    expect(view.payload).toBe('[redacted]');
    expect(view.note).toContain('not known');
  });

  it('shows nothing of what it cannot read, unless it is asked to', async () => {
    const hidden = await letterView(letter('you {'), mail, false);
    expect(hidden).toEqual({
      note: expect.stringContaining('unreadable, 5 bytes'),
      error: undefined,
    });
    expect(await letterView(letter('you {'), mail, true)).toMatchObject({ payload: 'you {' });
  });
});

describe('the error of a letter', () => {
  const ERROR = 'attempt 1: Error: you@there.org refused 12345\n    at send (mail.ts:1:2)';
  const fitting = '{"to":"you@there.org","count":12345}';
  const errorOf = async (body: string, job: typeof mail | typeof open | undefined, all = false) =>
    (await letterView(letter(body, 1, ERROR), job as typeof mail | undefined, all)).error;

  it('has no value that the job type marks', async () => {
    expect(await errorOf(fitting, mail)).toBe(ERROR.replace('you@there.org', '[redacted]'));
  });

  it('has no value at all of a payload that does not fit, or whose job type is not known', async () => {
    const hidden = ERROR.replace('you@there.org refused 12345', '[redacted] refused [redacted]');
    expect(await errorOf(fitting, undefined)).toBe(hidden);
    expect(await errorOf('{"too":"you@there.org","list":[12345]}', mail)).toBe(hidden);
  });

  it('has no message where the payload cannot be read', async () => {
    const outline = 'attempt 1: Error: [redacted]\n    at send (mail.ts:1:2)';
    expect(await errorOf('you@there.org {', mail)).toBe(outline);
    expect(await errorOf('you@there.org {', undefined)).toBe(outline);
  });

  it('is as it is on demand, and where nothing is marked', async () => {
    expect(await errorOf(fitting, mail, true)).toBe(ERROR);
    expect(await errorOf('you@there.org {', undefined, true)).toBe(ERROR);
    expect(await errorOf(fitting, open)).toBe(ERROR);
    expect(await errorOf('you@there.org {', open)).toBe(ERROR);
  });
});
