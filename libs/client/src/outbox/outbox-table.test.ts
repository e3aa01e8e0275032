import { defineJob } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { SqlRunner } from './outbox-port.ts';
import { createOutboxTable, outboxTableSql } from './outbox-table.ts';
import { publishInTransaction } from './publish-in-transaction.ts';

const failing = (code: string, times: number) => {
  const texts: string[] = [];
  const client: SqlRunner = {
    async query(text) {
      texts.push(text);
      if (texts.length <= times) throw Object.assign(new Error('no'), { code });
      return { rows: [] };
    },
  };
  return { client, texts };
};

describe('the outbox table', () => {
  it('is made in the schema of the caller', () => {
    const sql = outboxTableSql({ schema: 'shop-2' });
    expect(sql).toHaveLength(3);
    for (const statement of sql) expect(statement).toContain('"shop-2"');
    expect(outboxTableSql()[0]).toBe('CREATE SCHEMA IF NOT EXISTS "warren_outbox"');
  });

  it.each(['', 'a"b', 'A', '1a', 'x'.repeat(64), 7])('refuses the schema %j', (schema) => {
    const wrong = { schema: schema as string };
    expect(() => outboxTableSql(wrong)).toThrowError(
      expect.objectContaining({ setting: 'schema' }),
    );
  });

  it('is made once by two at the same time; any other failure is the caller’s', async () => {
    const race = failing('23505', 1);
    await createOutboxTable(race.client);
    expect(race.texts).toHaveLength(4);
    await expect(createOutboxTable(failing('42501', 1).client)).rejects.toThrow('no');
  });
});

it('a transaction has no timeout of a publish', async () => {
  const { client, texts } = failing('', 0);
  const options = { timeoutMs: 5 } as object;
  await expect(
    publishInTransaction(client, {} as never, 1 as never, options),
  ).rejects.toMatchObject({
    setting: 'timeoutMs',
  });
  expect(texts).toEqual([]);
});

it('a transaction has no store: what needs one is refused before anything is written', async () => {
  const { client, texts } = failing('', 0);
  const job = defineJob({ type: 'order.ship', schema: z.strictObject({}) });
  await expect(
    publishInTransaction(client, job, {}, { unique: 'active' } as object),
  ).rejects.toMatchObject({ code: 'OPTION_NEEDS_STORE', option: 'unique' });
  expect(texts).toEqual([]);
});
