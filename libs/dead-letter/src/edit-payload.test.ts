import { defineJob } from '@warren/contracts';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { editPayload } from './edit-payload.ts';

const job = defineJob({
  type: 'a.b',
  version: 2,
  schema: z.object({ to: z.email(), cc: z.email().optional() }),
  upgrade: { 1: (old: unknown) => ({ to: (old as { address: string }).address }) },
});
const letter = (payload: unknown, payloadVersion = 2) => ({
  body: Buffer.from(JSON.stringify(payload)),
  contentEncoding: undefined,
  payloadVersion,
});

it('gives the corrected payload, in the version that it was published with', async () => {
  const edited = await editPayload(letter({ to: 'x', cc: 'a@b.org' }), job, {
    to: 'y@z.org',
    cc: null,
  });
  expect(edited.before).toEqual({ to: 'x', cc: 'a@b.org' });
  expect(JSON.parse(edited.body.toString())).toEqual({ to: 'y@z.org' });
  const old = await editPayload(letter({ address: 'x' }, 1), job, { address: 'y@z.org' });
  expect(JSON.parse(old.body.toString())).toEqual({ address: 'y@z.org' });
});

it('refuses what a worker would', async () => {
  await expect(editPayload(letter({ to: 'x' }), job, {})).rejects.toMatchObject({
    code: 'PAYLOAD_INVALID',
    message: expect.stringContaining('to'),
  });
  await expect(editPayload(letter({}, 3), job, {})).rejects.toThrow('version 3');
  const unreadable = { ...letter(0), body: Buffer.from([0xff]) };
  await expect(editPayload(unreadable, job, {})).rejects.toMatchObject({
    code: 'MESSAGE_UNREADABLE',
  });
});
