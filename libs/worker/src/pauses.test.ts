import { expect, it } from 'vitest';
import { Pauses } from './pauses.ts';

it('a consumer is paused by the first reason and resumed when the last is gone', () => {
  const done: string[] = [];
  const consumer = {
    pause: async () => void done.push('pause'),
    resume: async () => void done.push('resume'),
  };
  const pauses = new Pauses(
    consumer,
    (reason, isPaused) => void done.push(`${reason} ${isPaused}`),
  );
  expect(pauses.set('operator', true)).toBe(true);
  expect(pauses.set('operator', true)).toBe(false);
  pauses.set('move_failing', true);
  pauses.set('operator', false);
  expect(pauses.any).toBe(true);
  pauses.set('move_failing', false);
  pauses.set('shutdown', false);
  expect(pauses.any).toBe(false);
  expect(done).toEqual([
    'operator true',
    'pause',
    'move_failing true',
    'operator false',
    'move_failing false',
    'resume',
  ]);
});
