import { delivered } from '@warren/testing';
import { describe, expect, it } from 'vitest';
import { FrozenSelection } from './frozen-selection.ts';
import { letterKey } from './letter-key.ts';

const letter = (messageId: string, redelivered = false, headers = {}) =>
  delivered({ messageId, headers }, { redelivered });
const keyOf = (messageId: string) => letterKey(letter(messageId).message);

describe('a frozen selection', () => {
  it('means what was chosen, and nothing that came later', () => {
    const frozen = new FrozenSelection();
    frozen.chosen(keyOf('a'));
    expect(frozen.wants(letter('a'))).toBe('take');
    expect(frozen.wants(letter('b'))).toBe('pass');
    // The same job, which was replayed and has died again.
    expect(frozen.wants(letter('a', true, { 'x-generation': 1 }))).toBe('pass');
    expect(frozen.left).toBe(1);
  });

  it('only takes out what is done, if it is the one that was in hand', () => {
    const frozen = new FrozenSelection();
    frozen.chosen(keyOf('a'));
    frozen.done(keyOf('a'));
    expect(frozen.wants(letter('a', true))).toBe('done');
    expect(frozen.wants(letter('a', false))).toBe('pass');
    expect(frozen.left).toBe(0);
  });

  it('takes as many of those that are alike as were chosen', () => {
    const frozen = new FrozenSelection();
    for (let n = 0; n < 2; n += 1) frozen.chosen(keyOf('a'));
    frozen.done(keyOf('a'));
    expect(frozen.wants(letter('a', true))).toBe('take');
    frozen.done(keyOf('a'));
    expect(frozen.wants(letter('a', true))).toBe('done');
  });
});

it('knows a letter by what it is, not by how often it was delivered', () => {
  const headers = { 'x-origin': 'a.b', 'x-generation': 2 };
  const key = letterKey(letter('a', false, headers).message);
  const again = letterKey(letter('a', true, { ...headers, 'x-delivery-count': 3 }).message);
  expect(again).toEqual(key);
  const others = [
    letter('b', false, headers),
    letter('a', false, { ...headers, 'x-generation': 3 }),
    letter('a', false, { ...headers, 'x-origin': 'a.b.low' }),
    delivered({ messageId: 'a', headers }, { body: Buffer.from('[]') }),
  ];
  for (const { message } of others) expect(letterKey(message)).not.toEqual(key);
});
