import { describe, expect, it } from 'vitest';
import { AdaptiveLevel } from './adaptive-level.ts';
import type { SeenRun } from './load-window.ts';
import { type Dependency, mean, simulate } from './simulation.fixture.ts';

const MAX = 100;
/** Of exponentially distributed runs, nine of ten take no longer than so many times the mean. */
const P90 = Math.log(10);
/** A pool of so many workers: what is beyond them only waits. */
const pool =
  (size: number): Dependency =>
  (calls) =>
    100 * Math.max(1, calls / size);
const any = { min: 1, max: MAX, latencyMs: 60_000 };

/** The most that it does in a second at any one level whose runs keep the bound. */
function bestOf(dependency: Dependency, latencyMs: number): number {
  const levels = Array.from({ length: MAX }, (_one, at) => at + 1);
  const kept = levels.filter((level) => P90 * dependency(level, 0) <= latencyMs);
  return Math.max(...kept.map((level) => (1_000 * level) / dependency(level, 0)));
}

describe('a level that finds itself', () => {
  it.each<[string, Dependency, number]>([
    ['a pool of 3', pool(3), 60_000],
    ['a pool of 20', pool(20), 60_000],
    ['one that is never full', () => 100, 60_000],
    ['one at a time', pool(1), 60_000],
    ['one that slows down bit by bit', (calls) => 50 * (1 + calls / 30), 60_000],
    [
      'one that gets in its own way',
      (calls) => 20 * (1 + 0.03 * calls + 0.0006 * calls ** 2),
      60_000,
    ],
    ['a pool of 20, with a bound that is kept', pool(20), 300],
    ['one that slows down bit by bit, with a bound', (calls) => 50 * (1 + calls / 30), 300],
  ])('gets at least 85 percent of the most out of %s', (_name, dependency, latencyMs) => {
    for (const seed of [1, 2, 3]) {
      const bounds = { min: 1, max: MAX, latencyMs };
      const { done } = simulate({ bounds, dependency, seconds: 300, seed });
      expect(mean(done.slice(150))).toBeGreaterThan(0.85 * bestOf(dependency, latencyMs));
    }
  });

  it('stays near the knee, and near itself', () => {
    for (const seed of [1, 2, 3]) {
      const { levels } = simulate({ bounds: any, dependency: pool(20), seconds: 400, seed });
      const late = levels.slice(200);
      expect(mean(late)).toBeGreaterThan(16);
      expect(mean(late)).toBeLessThan(30);
      const spread = Math.sqrt(mean(late.map((level) => (level - mean(late)) ** 2)));
      expect(spread / mean(late)).toBeLessThan(0.4);
    }
  });

  it('has fewer run where they take longer than they may, down to the least', () => {
    const dependency: Dependency = (calls) => 20 * calls;
    const kept = { min: 1, max: MAX, latencyMs: 500 };
    const some = simulate({
      bounds: kept,
      dependency: (calls) => 10 + 10 * calls,
      seconds: 300,
      seed: 1,
    });
    expect(mean(some.levels.slice(100)) * 10 * P90).toBeLessThan(1.25 * 500);
    const hopeless = { min: 4, max: MAX, latencyMs: 10 };
    const none = simulate({ bounds: hopeless, dependency, seconds: 60, seed: 1 });
    expect(new Set(none.levels.slice(20))).toEqual(new Set([4]));
  });

  it('follows a dependency that loses most of its capacity, and gets it back', () => {
    const isSmall = (nowMs: number) => nowMs > 150_000 && nowMs < 350_000;
    const dependency: Dependency = (calls, nowMs) => pool(isSmall(nowMs) ? 8 : 40)(calls, nowMs);
    const { levels, done } = simulate({ bounds: any, dependency, seconds: 550, seed: 2 });
    expect(mean(levels.slice(100, 150))).toBeGreaterThan(30);
    expect(mean(levels.slice(300, 350))).toBeLessThan(20);
    expect(mean(done.slice(300, 350))).toBeGreaterThan(0.85 * 80);
    expect(mean(done.slice(500))).toBeGreaterThan(0.85 * 400);
  });

  it('learns nothing from a queue with fewer jobs than slots, nor from jobs that fail', () => {
    const few = simulate({
      bounds: { ...any, min: 10 },
      dependency: pool(50),
      seconds: 100,
      seed: 1,
      arrivalEveryMs: 24,
    });
    expect(new Set(few.levels)).toEqual(new Set([10]));
    expect(mean(few.done.slice(10))).toBeCloseTo(1_000 / 24, 0);
    const failing = { bounds: any, dependency: pool(20), seconds: 60, seed: 1, fails: () => true };
    expect(new Set(simulate(failing).levels)).toEqual(new Set([1]));
  });

  it('stands still while somebody else says how many, and goes on from there', () => {
    const told: number[] = [];
    let nowMs = 0;
    const onLevel = ({ concurrency }: { concurrency: number }) => told.push(concurrency);
    const level = new AdaptiveLevel({ bounds: any, onLevel, now: () => nowMs });
    const run = () => {
      const { concurrency: busy } = level.level;
      const seen: SeenRun = {
        startedAtMs: nowMs,
        slotMs: 10,
        runMs: 10,
        outcome: 'succeeded',
        busy,
      };
      nowMs += 10;
      level.ended(seen);
    };
    level.hold(true);
    for (let n = 0; n < 1_000; n += 1) run();
    expect(told).toEqual([]);
    level.hold(false);
    for (let n = 0; n < 1_000; n += 1) run();
    expect(told.at(-1)).toBeGreaterThan(5);
    const { concurrency, reach } = level.level;
    expect(reach).toBeGreaterThanOrEqual(concurrency);
  });
});
