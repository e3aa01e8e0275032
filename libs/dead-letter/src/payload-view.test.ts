import { defineJob, pii } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { DeadLetter } from './dead-letter.ts';
import { payloadView } from './payload-view.ts';

const mail = defineJob({
  type: 'email.send',
  schema: z.strictObject({ to: pii(z.string()), count: z.number() }),
});
const open = defineJob({ type: 'open.one', schema: z.object({ a: z.number() }) });

function letter(body: string, payloadVersion = 1): DeadLetter {
  return { body: Buffer.from(body), payloadVersion, contentEncoding: undefined } as DeadLetter;
}

describe('payloadView', () => {
  it('redacts what the job type marks', async () => {
    expect(await payloadView(letter('{"to":"you","count":1}'), mail, false)).toEqual({
      payload: { to: '[redacted]', count: 1 },
    });
  });

  it('shows all on demand, and where nothing is marked', async () => {
    const body = '{"to":"you","count":1}';
    expect(await payloadView(letter(body), mail, true)).toEqual({ payload: JSON.parse(body) });
    expect(await payloadView(letter('{"b":"x"}'), open, false)).toEqual({ payload: { b: 'x' } });
  });

  it.each([
    ['a slip in a name', '{"too":"you","list":[{"x":"you"}]}', 1],
    ['another version', '{"to":"you","count":1}', 2],
  ])('hides every value of a payload that does not fit: %s', async (_, body, version) => {
    const view = await payloadView(letter(body, version), mail, false);
    expect(JSON.stringify(view)).not.toContain('you');
    expect(view.note).toContain('does not fit');
    expect(Object.keys(view.payload as object)).toEqual(Object.keys(JSON.parse(body) as object));
  });

  it('hides every value where the job type is not known', async () => {
    const view = await payloadView(letter('"you"'), undefined, false);
    expect(view.payload).toBe('[redacted]');
    expect(view.note).toContain('not known');
  });

  it('shows nothing of what it cannot read, unless it is asked to', async () => {
    const hidden = await payloadView(letter('you {'), mail, false);
    expect(hidden).toEqual({ note: expect.stringContaining('unreadable, 5 bytes') });
    expect(await payloadView(letter('you {'), mail, true)).toMatchObject({ payload: 'you {' });
  });
});
