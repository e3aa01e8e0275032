import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../config.ts';
import { defineConfig, setting } from '../setting.ts';
import { hashOfKey, isApiKey, newApiKey } from './api-key.ts';
import { apiKeys } from './api-keys-schema.ts';
import { readApiKeys } from './read-api-keys.ts';

const hashed = (text: string) => createHash('sha256').update(text).digest('hex');
const A = hashed('a');
const B = hashed('b');
const scopesOf = (text: string) => readApiKeys(text).map(({ scopes }) => [...scopes]);

describe('newApiKey', () => {
  it('makes a key that scanners find, and an entry that has only its hash', () => {
    const { key, entry } = newApiKey('ci', ['read', 'publish']);
    expect(key).toMatch(/^warren_[A-Za-z0-9_-]{43}$/);
    expect(isApiKey(key)).toBe(true);
    expect(entry).toBe(`ci:publish+read:${hashed(key)}`);
    const [read] = readApiKeys(entry);
    expect(read).toEqual({
      name: 'ci',
      scopes: new Set(['publish', 'read']),
      hash: hashOfKey(key),
    });
  });

  it('makes another one each time', () => {
    const keys = Array.from({ length: 100 }, () => newApiKey('ci', ['read']).key);
    expect(new Set(keys).size).toBe(100);
  });

  it.each([
    ['', ['read'], 'name'],
    ['Ci', ['read'], 'name'],
    ['a b', ['read'], 'name'],
    ['x'.repeat(41), ['read'], 'name'],
    ['ci', [], 'scope'],
  ] as const)('refuses %j with %j, naming %s', (name, scopes, setting) => {
    expect(() => newApiKey(name, scopes)).toThrow(expect.objectContaining({ setting }));
  });
});

it.each(['', 'warren_', 'secret', `warren_${'a'.repeat(42)}`, `warren_${'a'.repeat(42)}!`])(
  '%j is no key',
  (text) => {
    expect(isApiKey(text)).toBe(false);
  },
);

describe('readApiKeys', () => {
  it('takes commas and lines, and passes over what is empty or a comment', () => {
    const text = `# those of the shop, and of nobody else\n shop:publish:${A}, \r\n\nops:admin:${B.toUpperCase()},`;
    expect(readApiKeys(text).map(({ name, hash }) => [name, hash.toString('hex')])).toEqual([
      ['shop', A],
      ['ops', B],
    ]);
  });

  it('gives `admin` everything, and the others what they say', () => {
    expect(scopesOf(`a:admin:${A}`)).toEqual([['publish', 'read', 'admin']]);
    expect(scopesOf(`a:publish:${A},b:read:${B}`)).toEqual([['publish'], ['read']]);
  });

  it('takes several keys of one name, with scopes of their own', () => {
    expect(scopesOf(`ci:publish:${A},ci:read:${B}`)).toEqual([['publish'], ['read']]);
  });

  it('adds to those that are known, and refuses what they have', () => {
    const known = readApiKeys(`a:read:${A}`);
    expect(readApiKeys(`b:read:${B}`, known).map(({ name }) => name)).toEqual(['a', 'b']);
    expect(() => readApiKeys(`b:read:${A}`, known)).toThrow('entry 1 (b) has the hash of another');
  });
});

const settings = defineConfig({
  WARREN_API_KEYS: setting({ schema: apiKeys().optional(), description: 'keys', secret: true }),
});
const load = (WARREN_API_KEYS: string) => () => loadConfig(settings, { WARREN_API_KEYS });
const KEY = `warren_${'Ab1'.repeat(14)}x`;

describe('the setting', () => {
  it('may be unset', () => {
    expect(load('')()).toEqual({ WARREN_API_KEYS: undefined });
  });

  it.each([
    [`ci:read:${A},ops:amdin:${B}`, 'entry 2 (ops) has "amdin" for a scope'],
    [`ci::${A}`, 'entry 1 (ci) has what is no word for a scope'],
    [`ci:read+:${A}`, 'entry 1 (ci) has what is no word for a scope'],
    [`ci:READ:${A}`, 'entry 1 (ci) has what is no word for a scope'],
    [`ci:${A}:read`, 'entry 1 (ci) does not end in a SHA-256'],
    [`ci:${A}:${B}`, 'entry 1 (ci) has what is no word'],
    [`${A}:read:${B}`, 'entry 1 does not begin with a name'],
    [`ci:read:${KEY}`, 'entry 1 (ci) does not end in a SHA-256'],
    [KEY, 'entry 1 does not begin with a name'],
    [`${KEY}:read:${A}`, 'entry 1 does not begin with a name'],
    [`ci:read:${A.slice(1)}`, 'entry 1 (ci) does not end in a SHA-256'],
    [`ci:read:${A}:100/1s`, 'entry 1 (ci) does not end in a SHA-256'],
    [`ci:read:${A},cd:read:${A.toUpperCase()}`, 'entry 2 (cd) has the hash of another one'],
    [Array.from({ length: 101 }, (_, at) => `a:read:${hashed(String(at))}`).join(), 'entry 101'],
    [' , ', 'entries such as'],
    ['# nothing', 'entries such as'],
  ])('refuses %s by name and place, and shows nothing of it', (text, problem) => {
    expect(load(text)).toThrow(expect.objectContaining({ setting: 'WARREN_API_KEYS' }));
    expect(load(text)).toThrow(problem);
    let message = '';
    try {
      load(text)();
    } catch (error) {
      message = String(error);
    }
    for (const hidden of [A, B, A.toUpperCase(), A.slice(1), KEY]) {
      expect(message.includes(hidden)).toBe(false);
    }
  });
});
