import type { StandardSchemaV1 } from '@standard-schema/spec';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PayloadInvalidError } from './errors.ts';
import { defineJob } from './job-definition.ts';
import { validatePayload } from './validate.ts';

/** A schema of no library at all. */
const standard = (validate: StandardSchemaV1.Props['validate']): StandardSchemaV1 => ({
  '~standard': { version: 1, vendor: 'own', validate },
});

const jobWith = <Schema extends StandardSchemaV1>(schema: Schema) =>
  defineJob({ type: 'a.b', schema });

describe('validatePayload', () => {
  const job = jobWith(z.object({ to: z.string(), tries: z.coerce.number().default(1) }));

  it('gives the output of the schema at once', () => {
    expect(validatePayload(job, { to: 'x', tries: '2', more: 1 })).toEqual({ to: 'x', tries: 2 });
    expect(validatePayload(job, { to: 'x' })).toEqual({ to: 'x', tries: 1 });
  });

  it('names every field that is wrong', () => {
    const list = jobWith(z.object({ mails: z.array(z.object({ to: z.string() })), n: z.number() }));
    const refuse = () => validatePayload(list, { mails: [{ to: 'x' }, { to: 5 }], n: 'y' });
    expect(refuse).toThrow(PayloadInvalidError);
    expect(refuse).toThrow(/^a\.b: mails\.1\.to: .*; n: /);
  });

  it('names each field that the schema does not know, by its whole path', () => {
    const strict = jobWith(
      z.strictObject({ to: z.string(), lines: z.array(z.strictObject({ n: z.number() })) }),
    );
    const long = 'k'.repeat(5_000);
    const refuse = () =>
      validatePayload(strict, { to: 'x', lines: [{ n: 1, m: 2 }], body: 1, [long]: 1 });
    expect(refuse).toThrow(
      expect.objectContaining({
        issues: [
          { path: 'lines.0.m', message: 'Unknown field' },
          { path: 'body', message: 'Unknown field' },
          { path: 'k'.repeat(100), message: 'Unknown field' },
        ],
      }),
    );
    expect(refuse).toThrow(/^a\.b: lines\.0\.m: Unknown field; body: Unknown field; /);
  });

  it('names the payload where the payload itself is wrong', () => {
    for (const payload of [undefined, null, 5, []]) {
      expect(() => validatePayload(job, payload)).toThrow(/^a\.b: payload: /);
    }
  });

  it('waits for a schema that is asynchronous', async () => {
    const asyncJob = jobWith(z.object({ to: z.string().refine(async (to) => to !== 'bad') }));
    await expect(validatePayload(asyncJob, { to: 'good' })).resolves.toEqual({ to: 'good' });
    await expect(validatePayload(asyncJob, { to: 'bad' })).rejects.toThrow(/^a\.b: to: /);
  });

  it('takes any Standard Schema, with any form of path', () => {
    const path = ['list', 0, Symbol('mark'), { key: 'name' }, { key: 7 }];
    const refusing = jobWith(
      standard(() => ({ issues: [{ message: 'is wrong', path }, { message: 'no' }] })),
    );
    expect(() => validatePayload(refusing, 1)).toThrow(
      expect.objectContaining({
        issues: [
          { path: 'list.0.Symbol(mark).name.7', message: 'is wrong' },
          { path: '', message: 'no' },
        ],
      }),
    );
    expect(validatePayload(jobWith(standard((value) => ({ value: [value] }))), 1)).toEqual([1]);
  });

  it('keeps the message short when everything is wrong', () => {
    const strict = jobWith(z.array(z.number()));
    const refuse = () => validatePayload(strict, Array(1_000).fill('x'));
    expect(refuse).toThrow(
      expect.objectContaining({ issues: expect.objectContaining({ length: 1_000 }) }),
    );
    expect(refuse).toThrow(/^.{1,500}$/);
  });
});
