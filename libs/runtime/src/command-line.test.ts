import { expect, test } from 'vitest';
import { readCommandLine } from './command-line.ts';

test.each([
  [[], 'run'],
  [['--help'], 'help'],
  [['-h'], 'help'],
  [['--help', '--port=1'], 'refuse'],
  [['start'], 'refuse'],
  [[''], 'refuse'],
])('%j: %s', (args, kind) => {
  expect(readCommandLine('x', args).kind).toBe(kind);
});
