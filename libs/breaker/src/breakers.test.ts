import { createLogger, createMetrics, type Metrics } from '@warren/telemetry';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BreakerOptions } from './breaker-options.ts';
import { Breakers } from './breakers.ts';

let breakers: Breakers;
let metrics: Metrics;
let lines: Record<string, unknown>[];
beforeEach(() => {
  lines = [];
  metrics = createMetrics({ service: 'test', version: '1', processMetrics: false });
  const destination = {
    write(line: string) {
      lines.push(JSON.parse(line) as Record<string, unknown>);
    },
  };
  const logger = createLogger({ service: 'test', level: 'info', destination });
  breakers = new Breakers({ logger, metrics });
});
afterEach(() => breakers.close());

async function series(): Promise<string[]> {
  const text = await metrics.text();
  return text.split('\n').filter((line) => line.startsWith('jobs_circuit_breaker_'));
}

async function fail(key?: string): Promise<void> {
  const permit = breakers.get('webhook').circuit(key).enter();
  if (typeof permit === 'object') await permit.end('failure');
}

describe('options', () => {
  it.each<[string, BreakerOptions | object]>([
    ['volumeTreshold', { volumeTreshold: 3 }],
    ['volumeThreshold', { volumeThreshold: 0 }],
    ['volumeThreshold', { volumeThreshold: 2.5 }],
    ['errorThresholdPercentage', { errorThresholdPercentage: 101 }],
    ['window', { window: '10ms' }],
    ['resetTimeout', { resetTimeout: 30 }],
    ['resetTimeout', { resetTimeout: '30d' }],
    ['timeout', { timeout: '0s' }],
    ['capacity', { capacity: 0 }],
    ['maxKeys', { maxKeys: -1 }],
    ['isFailure', { isFailure: 'ECONNREFUSED' }],
  ])('that are wrong are refused by name: %s', (option, options) => {
    expect(() => breakers.define('smtp', options)).toThrowError(
      expect.objectContaining({ setting: `breaker smtp: ${option}` }),
    );
  });

  it.each(['', 'SMTP', 'a b', 'a'.repeat(64), undefined])('names, too: %j', (name) => {
    expect(() => breakers.define(name as string)).toThrowError(
      expect.objectContaining({ setting: 'breaker' }),
    );
  });

  it('may be said once; who says none gets those', () => {
    const smtp = breakers.define('smtp', { volumeThreshold: 3 });
    expect(breakers.define('smtp')).toBe(smtp);
    expect(breakers.define('smtp', { volumeThreshold: 3 })).toBe(smtp);
    expect(() => breakers.define('smtp', { volumeThreshold: 4 })).toThrow('defined twice');
    expect(() => breakers.get('sms')).toThrow('there is no "sms"; known: smtp');
  });
});

it('every series is there at 0 before anything happens; states are counted, and told in the log', async () => {
  const webhook = breakers.define('webhook', { volumeThreshold: 1 });
  expect((await series()).map((line) => line.at(-1))).toEqual(Array(7).fill('0'));
  webhook.circuit();
  await fail('a.example');
  webhook.refused();
  expect((await series()).filter((line) => !line.endsWith(' 0'))).toEqual([
    'jobs_circuit_breaker_state{breaker="webhook",state="closed"} 1',
    'jobs_circuit_breaker_state{breaker="webhook",state="open"} 1',
    'jobs_circuit_breaker_transitions_total{breaker="webhook",to="open"} 1',
    'jobs_circuit_breaker_rejected_total{breaker="webhook"} 1',
  ]);
  expect(lines).toMatchObject([
    { breaker: 'webhook', key: 'a.example', from: 'closed', to: 'open' },
  ]);
  expect(breakers.view()).toMatchObject([
    {
      name: 'webhook',
      circuits: [
        { state: 'closed' },
        { key: 'a.example', state: 'open', waitMs: expect.any(Number) },
      ],
    },
  ]);
});

it('keeps no more keys than it may: the closed one that was not used for longest goes first', async () => {
  breakers.define('webhook', { volumeThreshold: 1, maxKeys: 3 });
  await fail('down.example');
  for (let index = 0; index < 1_000; index += 1) {
    breakers.get('webhook').circuit('busy.example');
    breakers.get('webhook').circuit(`h${index}.example`);
  }
  const [view] = breakers.view();
  expect(view?.circuits.map(({ key }) => key)).toEqual([
    'down.example',
    'busy.example',
    'h999.example',
  ]);
  for (const key of ['x', 'y', 'z']) await fail(key);
  expect(breakers.view()[0]?.circuits.map(({ key, state }) => `${key} ${state}`)).toEqual([
    'x open',
    'y open',
    'z open',
  ]);
  expect((await series()).slice(0, 3)).toEqual([
    'jobs_circuit_breaker_state{breaker="webhook",state="closed"} 0',
    'jobs_circuit_breaker_state{breaker="webhook",state="open"} 3',
    'jobs_circuit_breaker_state{breaker="webhook",state="half_open"} 0',
  ]);
});

it('is held by hand for all its keys, those that come later too, until it is let go', () => {
  breakers.define('webhook');
  const before = breakers.get('webhook').circuit('a');
  breakers.force({ webhook: 'open', elsewhere: 'open' });
  const after = breakers.get('webhook').circuit('b');
  expect([before.state, after.state]).toEqual(['open', 'open']);
  breakers.force(JSON.parse('{"__proto__":"open"}') as Record<string, 'open'>);
  expect([before.state, after.state]).toEqual(['half_open', 'half_open']);
});
