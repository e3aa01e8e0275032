import { expect, it } from 'vitest';
import { readAnswer } from './evaluate.ts';

it('takes the result out of the answer', () => {
  expect(readAnswer('{ok, {1, "text"}}')).toBe('{1, "text"}');
  expect(readAnswer('{ok, []}\n')).toBe('[]');
});

it('passes on what the node said instead', () => {
  expect(() => readAnswer('{error, "*** eval: {\'EXIT\',bad}"}')).toThrow(/EXIT/);
  expect(() => readAnswer('')).toThrow(/did not evaluate/);
});
