import { expect, it } from 'vitest';
import { readAnalysis, writeAnalysis } from './analysis.ts';

const analysis = { pages: 3, words: 7, sha256: 'a'.repeat(64), sizeBytes: 9 };

it('reads what was written', () => {
  expect(readAnalysis(writeAnalysis(analysis))).toEqual(analysis);
});

it.each([
  '',
  'null',
  '{"v":1',
  writeAnalysis(),
  JSON.stringify({ ...analysis, v: 2 }),
  JSON.stringify({ ...analysis, v: 1, words: '7' }),
])('finds nothing in %j', (text) => {
  expect(readAnalysis(text)).toBeUndefined();
});
