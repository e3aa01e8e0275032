import { newApiKey } from '@warren/runtime';
import { expect, it } from 'vitest';
import { knownKey } from '../../../fixtures/some-keys.ts';
import { KeyRing } from './key-ring.ts';

const shop = knownKey('shop', 'publish');
const ops = knownKey('ops', 'admin');
const ring = new KeyRing([shop.known, ops.known]);

it('knows each of its keys, the first time and later', () => {
  for (const { key, known } of [shop, ops, shop]) {
    expect(ring.find(`Bearer ${key}`)).toBe(known);
    expect(ring.find(`Bearer ${key}`)).toBe(known);
  }
});

it.each([`bearer ${shop.key}`, `BEARER   ${shop.key}`, `Bearer ${shop.key} `])(
  'takes the scheme as HTTP spells it: %#',
  (header) => {
    expect(ring.find(header)).toBe(shop.known);
  },
);

it.each([
  ['no header', undefined],
  ['an empty one', ''],
  ['no key', 'Bearer'],
  ['another scheme', `Basic ${shop.key}`],
  ['the key alone', shop.key],
  ['two keys', `Bearer ${shop.key} ${ops.key}`],
  ['a key and more', `Bearer ${shop.key}x`],
  ['a key of nobody', `Bearer ${newApiKey('shop', ['admin']).key}`],
  ['a hash', `Bearer ${shop.known.hash.toString('hex')}`],
  ['another spelling of a key', `Bearer ${shop.key.toUpperCase()}`],
])('does not know %s', (_what, header) => {
  expect(ring.find(header)).toBeUndefined();
  expect(ring.find(header)).toBeUndefined();
});
