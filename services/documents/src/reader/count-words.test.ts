import { expect, it } from 'vitest';
import { countWords } from './count-words.mjs';

it.each([
  ['', 0],
  ['… – , !', 0],
  ["One two,\nthree. It's 4.5 %", 5],
  ['Übergröße naïve', 2],
  ['我喜欢读书', 3],
])('counts the words of %j', (text, words) => {
  expect(countWords(text)).toBe(words);
});
