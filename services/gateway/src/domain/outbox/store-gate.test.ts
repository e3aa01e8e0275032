import { quietTelemetry } from '@warren/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StoreGate } from './store-gate.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('says once that the store is away, looks for it, and says once that it is back', async () => {
  const { logger, lines } = quietTelemetry();
  let isAway = true;
  const ping = async () => {
    if (isAway) throw new Error('refused');
  };
  const gate = new StoreGate({ ping }, logger);
  expect([gate.check, gate.problem]).toEqual(['not asked yet', undefined]);
  gate.start();
  await vi.advanceTimersByTimeAsync(3_500);
  gate.shut('no answer');
  expect([gate.check, gate.problem]).toEqual(['no answer', 'no answer']);
  expect(lines).toHaveLength(1);
  isAway = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect([gate.check, gate.problem]).toEqual(['ok', undefined]);
  expect(lines.map(({ msg }) => msg)).toEqual([
    'the store is away; jobs go to the broker directly meanwhile',
    'the store is back; jobs are kept there first',
  ]);
  gate.close();
});

it('finds out that the store is away also while nobody asks for anything', async () => {
  let isAway = false;
  const ping = async () => {
    if (isAway) throw new Error('refused');
  };
  const gate = new StoreGate({ ping }, quietTelemetry().logger);
  gate.start();
  await vi.advanceTimersByTimeAsync(1);
  expect(gate.check).toBe('ok');
  isAway = true;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(gate.check).toBe('refused');
  gate.close();
  expect(vi.getTimerCount()).toBe(0);
});
