import { expect, it } from 'vitest';
import { choosePaint } from './paint.ts';

it.each([
  ['a terminal', true, {}, true],
  ['no terminal', false, {}, false],
  ['NO_COLOR', true, { NO_COLOR: '1' }, false],
  ['an empty NO_COLOR', true, { NO_COLOR: '' }, true],
  ['a terminal without colours', true, { TERM: 'dumb' }, false],
])('%s', (_, isTerminal, env, coloured) => {
  const text = choosePaint(isTerminal, env)('red', 'x');
  expect(text).toBe(coloured ? '\u001b[31mx\u001b[39m' : 'x');
});
