import { quietTelemetry } from '@warren/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Asker, MAX_PUT_OFF_MS } from './asker.ts';
import type { LimitPolicy, LimitUser } from './limit.ts';
import { Limits } from './limits.ts';
import type { LimitAnswer, LimitRequest } from './limits-port.ts';
import { MemoryLimits } from './memory-limits.ts';

const rule = { intervalMs: 100, burst: 2 };
const policy: LimitPolicy = { scope: 'process', rule, rules: new Map() };
const answer = (fields: Partial<LimitAnswer> = {}): LimitAnswer => ({
  granted: 0,
  left: 0,
  freeInMs: 7,
  putOffInMs: 50,
  ...fields,
});

describe('Asker', () => {
  it('asks for all that came meanwhile at once, and hands out what was granted', async () => {
    const asked: (readonly LimitRequest[])[] = [];
    const asker = new Asker({
      ask(requests) {
        asked.push(requests);
        return Promise.resolve(requests.map(({ wanted }) => answer({ granted: wanted - 1 })));
      },
    });
    const first = ['a', 'a', 'a', 'b'].map((key) => asker.take('n', key, rule));
    const delays = [1, 2].map(() => asker.putOff('n', 'a', rule));
    expect((await Promise.all(first)).map(({ granted }) => granted)).toEqual([
      ...[true, true, false],
      false,
    ]);
    expect(await Promise.all(delays)).toEqual([50, 150]);
    expect(asked).toEqual([
      [
        expect.objectContaining({ key: 'a', wanted: 3, putOff: 2, intervalMs: 100, burst: 2 }),
        expect.objectContaining({ key: 'b', wanted: 1, putOff: 0 }),
      ],
    ]);
    await asker.take('n', 'c', rule);
    expect(asked).toHaveLength(2);
  });

  it('puts off for no longer than a move takes that a raised rate need not wait for', async () => {
    const port = { ask: () => Promise.resolve([answer({ putOffInMs: MAX_PUT_OFF_MS - 50 })]) };
    const asker = new Asker(port);
    const delays = [1, 2, 3].map(() => asker.putOff('n', 'a', rule));
    expect(await Promise.all(delays)).toEqual([299_950, 300_000, 300_000]);
  });

  it('rejects what was asked for when the port does, or does not answer, and asks again', async () => {
    vi.useFakeTimers();
    const ask = vi
      .fn<(requests: readonly LimitRequest[]) => Promise<LimitAnswer[]>>()
      .mockRejectedValueOnce(new Error('away'))
      .mockReturnValueOnce(new Promise(() => {}))
      .mockResolvedValueOnce([])
      .mockResolvedValue([answer({ granted: 1 })]);
    const asker = new Asker({ ask });
    const next = () => {
      const taken = asker.take('n', 'a', rule).catch((error: Error) => error.message);
      return vi.advanceTimersByTimeAsync(5_001).then(() => taken);
    };
    expect(await next()).toBe('away');
    expect(await next()).toMatch('within 5000 ms');
    expect(await next()).toMatch('no answer for a key');
    expect(await next()).toMatchObject({ granted: true });
    vi.useRealTimers();
  });
});

it('limits in memory keep only keys that were used lately', async () => {
  let nowMs = 1_000;
  const memory = new MemoryLimits(() => nowMs);
  const ask = (key: string) =>
    memory.ask([{ name: 'n', key, ...rule, wanted: 3, putOff: 0, maxPutOffMs: 1_000 }]);
  expect(await ask('a')).toMatchObject([{ granted: 2, freeInMs: 100 }]);
  expect(await ask('b')).toMatchObject([{ granted: 2 }]);
  nowMs += 100;
  expect(await ask('a')).toMatchObject([{ granted: 1 }]);
  for (let at = 0; at < 3_000; at += 1) {
    nowMs += 1;
    await ask(`k${at}`);
  }
  expect(memory.size).toBeLessThanOrEqual(2_000);
});

describe('Limits', () => {
  let limits: Limits;
  beforeEach(() => {
    limits = new Limits(quietTelemetry());
  });
  afterEach(() => vi.useRealTimers());

  it('shares what has one name, and refuses what contradicts it or needs a store', () => {
    const shared = limits.define('crm', policy);
    expect(limits.define('crm', { ...policy, rules: new Map() })).toBe(shared);
    const other = { ...policy, rule: { ...rule, burst: 3 } };
    expect(() => limits.define('crm', other)).toThrow('limit crm: is defined twice');
    expect(() => limits.define('all', { ...policy, scope: 'global' })).toThrow(
      /limit all: needs the store.*`limits`/,
    );
  });

  it('shows what is used, as it is defined', () => {
    limits.define('unused', policy);
    const user = { queue: 'b.c', rate: { rate: 60, per: '1m' }, by: 'tenant', setting: 'RATE' };
    const rules = new Map([['paying', rule]]);
    limits.define('crm', { ...policy, rules }).usedBy(user as LimitUser);
    limits.define('crm', { ...policy, rules }).usedBy({ ...user, queue: 'b.d' } as LimitUser);
    const free = { queue: 'a.b', rate: { rate: 1, per: '1s' }, by: undefined, setting: undefined };
    limits.define('api', policy).usedBy(free as LimitUser);
    limits.override({ crm: { rate: 1, per: '1d' } });
    const { by, setting } = user;
    expect(limits.view()).toEqual([
      { name: 'api', scope: 'process', queues: ['a.b'], rate: 1, per: '1s', burst: 2 },
      {
        name: 'crm',
        scope: 'process',
        queues: ['b.c', 'b.d'],
        by,
        setting,
        rate: 60,
        per: '1m',
        burst: 2,
        ownRates: true,
      },
    ]);
  });

  it('has other rules for some keys, and for all while an operator says so', () => {
    const telemetry = quietTelemetry();
    const limit = new Limits(telemetry).define('crm', {
      ...policy,
      rules: new Map([['paying', { intervalMs: 1, burst: 9 }]]),
      limitFor(key) {
        if (key === 'odd') return { rate: 0, per: '1s' };
        return key === 'half' ? { rate: 5, per: '1s', burst: 1 } : undefined;
      },
    });
    expect(limit.ruleOf('paying')).toEqual({ intervalMs: 1, burst: 9 });
    expect(limit.ruleOf('half')).toEqual({ intervalMs: 200, burst: 1 });
    expect(limit.ruleOf('other')).toBe(rule);
    expect(limit.ruleOf('odd')).toBe(rule);
    expect(telemetry.lines.at(-1)).toMatchObject({ limiter: 'crm' });
  });

  it('tells when an operator changes a rule', () => {
    const limit = limits.define('crm', policy);
    const changed = vi.fn();
    const stop = limit.onChange(changed);
    limits.override({ crm: { rate: 1, per: '1m' }, elsewhere: { rate: 1, per: '1s' } });
    limits.override({ crm: { rate: 1, per: '1m' } });
    expect([limit.ruleOf('any'), changed.mock.calls.length]).toEqual([
      { intervalMs: 60_000, burst: 1 },
      1,
    ]);
    limits.override({});
    expect([limit.ruleOf('any'), changed.mock.calls.length]).toEqual([rule, 2]);
    stop();
  });
});
