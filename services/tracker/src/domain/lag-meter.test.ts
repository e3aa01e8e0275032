import { expect, it } from 'vitest';
import { LagMeter } from './lag-meter.ts';

it('goes by what it reads until its first marker has come', () => {
  const meter = new LagMeter();
  expect(meter.lagMs(50_000)).toBe(0);
  meter.markerSent(50_000);
  meter.eventRead(10_000);
  expect(meter.lagMs(51_000)).toBe(41_000);
  expect(meter.isCurrent(51_000)).toBe(false);
  meter.markerRead(50_000, 52_000);
  expect(meter.lagMs(52_000)).toBe(2_000);
  expect(meter.isCurrent(52_000)).toBe(true);
});

it('goes by markers then, however wrong the clocks of others are', () => {
  const meter = new LagMeter();
  meter.markerSent(0);
  meter.markerRead(0, 5);
  meter.eventRead(-1_000_000);
  expect(meter.lagMs(4_000)).toBe(5);
  meter.markerSent(5_000);
  expect(meter.lagMs(5_001)).toBe(5);
  expect(meter.lagMs(35_000)).toBe(30_000);
  expect(meter.isCurrent(35_000)).toBe(false);
});

it('forgets a marker that was lost when a later one comes, and knows the oldest of many', () => {
  const meter = new LagMeter();
  for (let ms = 0; ms <= 500_000; ms += 5_000) meter.markerSent(ms);
  meter.eventRead(600_000);
  expect(meter.lagMs(510_000)).toBe(510_000);
  meter.markerRead(495_000, 510_000);
  expect(meter.lagMs(510_000)).toBe(15_000);
  meter.markerRead(500_000, 510_100);
  expect(meter.lagMs(510_100)).toBe(10_100);
});
