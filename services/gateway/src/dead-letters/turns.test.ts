import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

it('lets one at a time have a name, whatever became of those before, and others at once', async () => {
  const turns = new Turns();
  const told: string[] = [];
  let end: () => void = () => {};
  const first = turns.take('a', async () => {
    told.push('first');
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    throw new Error('no');
  });
  const second = turns.take('a', async () => told.push('second'));
  await turns.take('b', async () => told.push('other'));
  expect(told).toEqual(['first', 'other']);
  end();
  await expect(first).rejects.toThrow('no');
  await second;
  expect(told).toEqual(['first', 'other', 'second']);
});
