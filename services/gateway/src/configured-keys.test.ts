import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, newApiKey } from '@warren/runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { gatewaySettings } from './config.ts';
import { configuredKeys } from './configured-keys.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keys-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const one = newApiKey('shop', ['publish']).entry;
const other = newApiKey('ops', ['admin']).entry;
const fileOf = (text: string): string => {
  const path = join(folder, 'keys');
  writeFileSync(path, text);
  return path;
};
const keysOf = (env: Record<string, string>) => configuredKeys(loadConfig(gatewaySettings, env));
const namesOf = (env: Record<string, string>) => keysOf(env)?.map(({ name }) => name);

it('are none where neither is set', () => {
  expect(keysOf({})).toBeUndefined();
});

it('are those of the setting, and of the file', () => {
  const file = fileOf(`# people\n${other}\n`);
  expect(namesOf({ WARREN_API_KEYS: one })).toEqual(['shop']);
  expect(namesOf({ WARREN_API_KEYS_FILE: file })).toEqual(['ops']);
  expect(namesOf({ WARREN_API_KEYS: one, WARREN_API_KEYS_FILE: file })).toEqual(['shop', 'ops']);
});

it.each([
  ['an entry that is wrong', `${one}\nops:amdin:${'0'.repeat(64)}\n`, 'entry 2 (ops) has "amdin"'],
  ['an entry of the setting', other, 'entry 1 (ops) has the hash of another one'],
  ['no entry', '# later\n', 'has no entry'],
])('are refused where the file has %s, naming it', (_what, text, problem) => {
  const env = {
    WARREN_API_KEYS_FILE: fileOf(text),
    ...(text === other && { WARREN_API_KEYS: text }),
  };
  expect(() => keysOf(env)).toThrow(expect.objectContaining({ setting: 'WARREN_API_KEYS_FILE' }));
  expect(() => keysOf(env)).toThrow(problem);
});

it('a rate needs keys', () => {
  const WARREN_API_KEY_RATE = '100/1s';
  expect(() => keysOf({ WARREN_API_KEY_RATE })).toThrow(
    expect.objectContaining({ setting: 'WARREN_API_KEY_RATE' }),
  );
  expect(keysOf({ WARREN_API_KEY_RATE, WARREN_API_KEYS: one })).toHaveLength(1);
  const { WARREN_API_KEY_RATE: rule } = loadConfig(gatewaySettings, { WARREN_API_KEY_RATE });
  expect(rule).toEqual({ intervalMs: 10, burst: 100 });
});

it.each(['100', '0/1s', '1/0s', '1.5/1s', '-1/1s', '1/1w', '1/30d'])(
  'a rate of %s is refused by name',
  (WARREN_API_KEY_RATE) => {
    expect(() => loadConfig(gatewaySettings, { WARREN_API_KEY_RATE })).toThrow(
      'WARREN_API_KEY_RATE: must be requests in a time, such as 100/1s',
    );
  },
);
