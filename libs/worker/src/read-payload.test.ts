import { defineJob } from '@warren/contracts';
import { delivered } from '@warren/testing';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { aMessage } from './a-message.fixture.ts';
import { readPayload } from './read-payload.ts';

const definition = defineJob({
  type: 'email.send',
  version: 2,
  upgrade: { 1: (old) => ({ to: old }) },
  schema: z.object({ to: z.string() }),
});
const slow = defineJob({
  type: 'email.send',
  schema: z.string().refine(async (text) => text !== 'no'),
});

function read(
  body: Buffer,
  payloadVersion: number,
  of: Parameters<typeof readPayload>[2] = definition,
) {
  const delivery = Object.assign(delivered({}), { body });
  return readPayload(delivery as never, aMessage({ payloadVersion }), of);
}
const json = (value: unknown) => Buffer.from(JSON.stringify(value));

it.each<[unknown, number, object]>([
  [{ to: 'a' }, 2, { value: { to: 'a' } }],
  ['a', 1, { value: { to: 'a' } }],
  [{ to: 'a' }, 3, { newer: expect.stringContaining('3 of email.send is newer than 2') }],
  [{ to: 7 }, 2, { outcome: { kind: 'invalid', error: expect.any(Error) }, raw: { to: 7 } }],
])('%j of version %i is read as %j', (payload, version, expected) => {
  expect(read(json(payload), version)).toEqual(expected);
});

it('what cannot be decoded is unreadable', () => {
  expect(read(Buffer.from('{'), 2)).toMatchObject({ outcome: { kind: 'unreadable' } });
});

it('is a promise only where the schema gives one, which never rejects', async () => {
  await expect(read(json('yes'), 1, slow)).resolves.toEqual({ value: 'yes' });
  await expect(read(json('no'), 1, slow)).resolves.toMatchObject({ outcome: { kind: 'invalid' } });
});
