import { expect, it } from 'vitest';
import { parkedBecause } from './parking.ts';

it.each([
  [0, 1, undefined],
  [1, 1, 'once'],
  [9, 10, undefined],
  [10, 10, '10 times'],
  [1_000, undefined, undefined],
])('a letter of generation %i, of %s replays at most: %s', (generation, max, words) => {
  const problem = parkedBecause({ generation }, max);
  if (words === undefined) expect(problem).toBeUndefined();
  else expect(problem).toContain(words);
});
