import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkProgress, ProgressMeter } from './progress-meter.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function metering() {
  const told: number[] = [];
  return { told, meter: new ProgressMeter((fraction) => void told.push(fraction)) };
}

describe('ProgressMeter', () => {
  it('tells at once, then the newest every 100 ms, and the last', () => {
    const { told, meter } = metering();
    for (let step = 0; step < 25; step += 1) {
      meter.report(step / 100, undefined);
      vi.advanceTimersByTime(10);
    }
    meter.end();
    expect(told).toEqual([0, 0.09, 0.19, 0.24]);
  });

  it('tells the last without another report, and nothing after the end', () => {
    const { told, meter } = metering();
    meter.report(0.1, undefined);
    meter.report(0.2, undefined);
    vi.advanceTimersByTime(100);
    expect(told).toEqual([0.1, 0.2]);
    meter.end();
    meter.report(0.3, undefined);
    vi.advanceTimersByTime(1_000);
    expect(told).toEqual([0.1, 0.2]);
  });
});

describe('checkProgress', () => {
  it.each([
    [0, undefined],
    [0.5, 'half'],
    [1, ''],
  ])('takes %j, %j', (fraction, message) => {
    expect(checkProgress(fraction, message)).toBe(message);
  });

  it.each([
    [-0.1, undefined],
    [1.01, undefined],
    [Number.NaN, undefined],
    ['0.5', undefined],
    [undefined, undefined],
    [0.5, 7],
  ])('refuses %j, %j', (fraction, message) => {
    expect(() => checkProgress(fraction, message)).toThrow(/^progress: expected a/);
  });

  it('cuts a long message', () => {
    expect(checkProgress(0, 'é'.repeat(5_000))).toHaveLength(512);
  });
});
