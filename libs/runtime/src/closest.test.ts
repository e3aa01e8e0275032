import { expect, it } from 'vitest';
import { closestTo } from './closest.ts';

it.each([
  ['emial.send', 'email.send'],
  ['email.send', 'email.send'],
  ['email.sends', 'email.send'],
  ['report', undefined],
])('%s is closest to %s', (word, expected) => {
  expect(closestTo(word, ['media.resize', 'email.send'], 3)).toBe(expected);
});
