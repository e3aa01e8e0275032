import { defineJob, pii } from '@warren/contracts';
import { delivered } from '@warren/testing';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { readDeadLetter } from './dead-letter.ts';
import { letterRecord } from './letter-record.ts';
import { redactRecord } from './redact-record.ts';

const schema = z.object({ to: pii(z.string()) });
const mail = defineJob({ type: 'email.send', schema });
const open = defineJob({ type: 'email.send', schema: z.object({ to: z.string() }) });

function exported(body: string, job: typeof mail | typeof open | undefined, showPii = false) {
  const headers = { 'x-error': 'Error: you@there', 'x-attempt': 3, 'reply-to': 'you@there' };
  const { message } = delivered({ messageId: 'j', headers }, { body: Buffer.from(body) });
  const record = letterRecord(message, 'email.send.dead');
  const letter = readDeadLetter(message, 1);
  return {
    record,
    shown: redactRecord(record, letter, job as typeof mail | undefined, showPii),
  };
}

it.each([
  ['marked', '{"to":"you@there"}', mail, { to: '[redacted]' }],
  ['of a job type that is not known', '{"to":"you@there"}', undefined, { to: '[redacted]' }],
  ['that cannot be read', '{"to":"you@there"', mail, null],
])('a line shows nothing that is personal: a payload %s', async (_, body, job, payload) => {
  const { record, shown } = exported(body, job);
  expect(await shown).toEqual({
    ...record,
    bodyBase64: undefined,
    headers: { 'x-error': 'Error: [redacted]', 'x-attempt': 3, 'reply-to': '[redacted]' },
    payload,
    redacted: true,
  });
});

it('shows nothing personal in tables, lists and bytes of the headers either', async () => {
  const headers = {
    list: ['you@there', { to: ['you@there'], 'you@there': 1 }],
    bytes: [Buffer.from('you@there')],
    'x-attempt': { who: 'you@there' },
  };
  const { message } = delivered(
    { messageId: 'j', headers },
    { body: Buffer.from('{"to":"you@there"}') },
  );
  const record = letterRecord(message, 'email.send.dead');
  const shown = await redactRecord(record, readDeadLetter(message, 1), mail as never, false);
  expect(shown.headers).toEqual({
    list: ['[redacted]', { to: ['[redacted]'], '[redacted]': 1 }],
    bytes: ['[redacted]'],
    'x-attempt': { who: '[redacted]' },
  });
});

it('is as it is, and can be imported, on demand and where nothing is marked', async () => {
  const asked = exported('{"to":"you@there"}', mail, true);
  expect(await asked.shown).toBe(asked.record);
  const unmarked = exported('{"to":"you@there"', open);
  expect(await unmarked.shown).toBe(unmarked.record);
});
