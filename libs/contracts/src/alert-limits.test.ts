import { describe, expect, it } from 'vitest';
import { alertLimitsOf, resolveAlertLimits } from './alert-limits.ts';
import { ConfigInvalidError } from './errors.ts';

describe('resolveAlertLimits', () => {
  it('has defaults, of which the depth is below what is refused', () => {
    expect(resolveAlertLimits(undefined, undefined)).toEqual({
      depth: 1_000,
      startWithinMs: 60_000,
    });
    expect(resolveAlertLimits({}, 500).depth).toBe(400);
    expect(resolveAlertLimits({}, 1).depth).toBe(1);
    expect(resolveAlertLimits({}, 1_000_000).depth).toBe(1_000);
  });

  it('takes what is written', () => {
    const limits = resolveAlertLimits({ depth: 50_000, startWithin: '10m' }, undefined);
    expect(limits).toEqual({ depth: 50_000, startWithinMs: 600_000 });
  });

  it.each<[string, unknown, number?]>([
    ['alerts', 5],
    ['alerts', null],
    ['alerts', []],
    ['alerts.startwithin', { startwithin: '1m' }],
    ['alerts.depth', { depth: 0 }],
    ['alerts.depth', { depth: 1.5 }],
    ['alerts.depth', { depth: '5' }],
    ['alerts.depth', { depth: 100 }, 100],
    ['alerts.startWithin', { startWithin: '0s' }],
    ['alerts.startWithin', { startWithin: 60 }],
  ])('names %s in %j', (setting, options, maxDepth) => {
    const resolve = () => resolveAlertLimits(options as object, maxDepth);
    expect(resolve).toThrow(ConfigInvalidError);
    expect(resolve).toThrow(expect.objectContaining({ setting }));
  });
});

describe('alertLimitsOf', () => {
  const alerts = resolveAlertLimits({ depth: 100, startWithin: '30s' }, undefined);

  it('leaves the low lane ten times as much, and the urgent one no less than the type', () => {
    const of = (lane: 'high' | 'normal' | 'low') =>
      alertLimitsOf({ alerts, maxDepth: 9_999 }, lane);
    expect(of('high')).toEqual(alerts);
    expect(of('normal')).toEqual(alerts);
    expect(of('low')).toEqual({ depth: 1_000, startWithinMs: 300_000 });
  });

  it('speaks up before the low lane is full', () => {
    expect(alertLimitsOf({ alerts, maxDepth: 500 }, 'low').depth).toBe(400);
    expect(alertLimitsOf({ alerts, maxDepth: 101 }, 'low').depth).toBe(100);
  });
});
