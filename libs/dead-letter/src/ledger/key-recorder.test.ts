import { expect, it } from 'vitest';
import { KeyRecorder, LedgerLostError } from './key-recorder.ts';

it('writes what comes meanwhile as one, and says when it is written', async () => {
  const written: string[] = [];
  const ends: (() => void)[] = [];
  const recorder = new KeyRecorder((keys) => {
    written.push(keys.toString());
    return new Promise((resolve) => ends.push(resolve));
  });
  const told: string[] = [];
  const add = (key: string) => recorder.add(Buffer.from(key)).then(() => told.push(key));
  const first = [add('a'), add('b')];
  await Promise.resolve();
  const later = [add('c'), add('d')];
  expect(written).toEqual(['ab']);
  expect(told).toEqual([]);
  ends.shift()?.();
  await Promise.all(first);
  expect(written).toEqual(['ab', 'cd']);
  expect(told).toEqual(['a', 'b']);
  ends.shift()?.();
  await Promise.all(later);
  expect(told).toEqual(['a', 'b', 'c', 'd']);
});

it('tells all of a part that could not be written, and goes on', async () => {
  let isAway = true;
  const recorder = new KeyRecorder(() =>
    isAway ? Promise.reject(new Error('no answer')) : Promise.resolve(),
  );
  const failed = await Promise.allSettled([recorder.add(Buffer.of(1)), recorder.add(Buffer.of(2))]);
  expect(failed.map((one) => one.status === 'rejected' && one.reason)).toEqual([
    new LedgerLostError(new Error('no answer')),
    new LedgerLostError(new Error('no answer')),
  ]);
  isAway = false;
  await recorder.add(Buffer.of(3));
});
