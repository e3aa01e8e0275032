import { expect, it } from 'vitest';
import type { Sql } from '../database/database.ts';
import { createLimits } from './limits.ts';

const counts = { intervalMs: 1, burst: 1, wanted: 1, putOff: 0, maxPutOffMs: 1 };
const answer = { granted: 0, free: 0, free_in_ms: 1, put_off_in_ms: 1, asked_at_ms: 1 };

/** The keys that are asked for in one statement, as they are kept. */
async function stored(keys: readonly string[]): Promise<string[]> {
  const kept: string[] = [];
  const query = async (_text: string, [json]: readonly unknown[] = []) => {
    const asked = JSON.parse(String(json)) as { name: string; key: string }[];
    kept.push(...asked.map(({ key }) => key));
    return asked.map(({ name, key }) => ({ name, key, ...answer }));
  };
  const limits = createLimits({ query } as unknown as Sql, 'warren');
  await limits.ask(keys.map((key) => ({ name: 'n', key, ...counts })));
  return kept;
}

it('keeps plain keys as people wrote them, and what some database might not take as a hash', async () => {
  const kept = await stored(['acme', 'a b/c', '', 'Zoë', '\0', '🙂', 'x'.repeat(201)]);
  expect(kept.slice(0, 3)).toEqual(['acme', 'a b/c', '']);
  for (const key of kept.slice(3)) expect(key).toMatch(/^sha256:[0-9a-f]{64}$/);
});

it('keeps keys apart, also from one that somebody made to look like the hash of another', async () => {
  const [long] = await stored(['x'.repeat(300)]);
  // Two rows of one key would have the whole statement refused.
  expect(new Set(await stored(['x'.repeat(300), long ?? ''])).size).toBe(2);
});
