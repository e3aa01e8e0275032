import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { ConfigInvalidError } from './errors.ts';
import { defineJob, type JobDefinition, type JobOptions } from './job-definition.ts';
import type { PayloadInput, PayloadOutput } from './payload-definition.ts';
import { pii } from './pii.ts';

const schema = z.object({ to: z.string(), tries: z.number().default(1) });

describe('defineJob', () => {
  it('fills in the defaults', () => {
    expect(defineJob({ type: 'email.send', schema })).toEqual({
      type: 'email.send',
      schema,
      description: '',
      version: 1,
      upgrades: [],
      retry: expect.objectContaining({ maxAttempts: 5 }),
      timeoutMs: 60_000,
      cancelGraceMs: 5_000,
      maxAgeMs: 604_800_000,
      concurrency: undefined,
      cpuBound: false,
      prefetch: undefined,
      maxSnoozes: 100,
      once: false,
      long: false,
      lanes: false,
      maxDepth: undefined,
      alerts: { depth: 1_000, startWithinMs: 60_000 },
      maxPayloadBytes: 1_048_576,
      piiPaths: [],
    });
  });

  it('takes what is written', () => {
    const job = defineJob({
      type: 'email.send',
      schema: z.object({ to: pii(z.string()) }),
      description: 'Send',
      retry: { maxAttempts: 1 },
      timeout: '2h',
      cancelGrace: '0s',
      maxAge: '30d',
      concurrency: 3,
      prefetch: 3,
      maxSnoozes: 0,
      once: true,
      lanes: true,
      maxDepth: 100,
      alerts: { depth: 50, startWithin: '2h' },
      maxPayloadBytes: 10,
      pii: ['cc'],
    });
    expect(job).toMatchObject({
      description: 'Send',
      retry: { maxAttempts: 1 },
      timeoutMs: 7_200_000,
      cancelGraceMs: 0,
      maxAgeMs: 2_592_000_000,
      concurrency: 3,
      prefetch: 3,
      maxSnoozes: 0,
      once: true,
      lanes: true,
      maxDepth: 100,
      alerts: { depth: 50, startWithinMs: 7_200_000 },
      maxPayloadBytes: 10,
      piiPaths: ['to', 'cc'],
    });
  });

  it('is frozen', () => {
    const job = defineJob({ type: 'a.b', schema });
    expect(Object.isFrozen(job)).toBe(true);
    expect(Object.isFrozen(job.piiPaths)).toBe(true);
  });

  it('knows the type, the payload to publish and the payload to handle', () => {
    const job = defineJob({ type: 'email.send', schema });
    expectTypeOf(job.type).toEqualTypeOf<'email.send'>();
    expectTypeOf<PayloadInput<typeof job>>().toEqualTypeOf<{
      to: string;
      tries?: number | undefined;
    }>();
    expectTypeOf<PayloadOutput<typeof job>>().toEqualTypeOf<{ to: string; tries: number }>();
    expectTypeOf(job).toExtend<JobDefinition>();
    // @ts-expect-error a misspelt option is an error for the compiler too
    expect(() => defineJob({ type: 'a.b', schema, timeOut: '1s' })).toThrow();
  });
});

describe('defineJob names the option that is wrong', () => {
  it.each<[string, object]>([
    ['schema', { schema: undefined }],
    ['schema', { schema: {} }],
    ['timeOut', { timeOut: '5s' }],
    ['timeout', { timeout: '0s' }],
    ['timeout', { timeout: 5 }],
    ['timeout', { timeout: '25d' }],
    ['cancelGrace', { cancelGrace: '-1s' }],
    ['cancelGrace', { cancelGrace: '25d' }],
    ['maxAge', { maxAge: '0ms' }],
    ['maxAge', { maxAge: 'long' }],
    ['concurrency', { concurrency: 0 }],
    ['concurrency', { concurrency: 1.5 }],
    ['concurrency', { concurrency: '2' }],
    ['concurrency', { concurrency: null }],
    ['concurrency', { concurrency: [1, 2] }],
    ['concurrency.max', { concurrency: { latency: '1s' } }],
    ['concurrency.max', { concurrency: { max: 10_001, latency: '1s' } }],
    ['concurrency.min', { concurrency: { min: 0, max: 9, latency: '1s' } }],
    ['concurrency.min', { concurrency: { min: 10, max: 9, latency: '1s' } }],
    ['concurrency.latency', { concurrency: { max: 9 } }],
    ['concurrency.latency', { concurrency: { max: 9, latency: '0s' } }],
    ['concurrency.latencyMs', { concurrency: { max: 9, latencyMs: 5 } }],
    ['concurrency', { long: true, concurrency: { max: 9, latency: '1s' } }],
    ['prefetch', { concurrency: { max: 9, latency: '1s' }, prefetch: 8 }],
    ['prefetch', { prefetch: 65_536 }],
    ['prefetch', { concurrency: 5, prefetch: 4 }],
    ['maxSnoozes', { maxSnoozes: -1 }],
    ['prefetch', { long: true, prefetch: 1 }],
    ['once', { once: 'yes' as unknown as boolean }],
    ['long', { long: 1 as unknown as boolean }],
    ['lanes', { lanes: ['high'] as unknown as boolean }],
    ['maxDepth', { maxDepth: 0 }],
    ['alerts.depth', { maxDepth: 10, alerts: { depth: 10 } }],
    ['alerts.startWithin', { alerts: { startWithin: 'soon' } }],
    ['maxPayloadBytes', { maxPayloadBytes: 0 }],
    ['maxPayloadBytes', { maxPayloadBytes: 16 * 1024 * 1024 + 1 }],
    ['retry', { retry: 3 }],
    ['retry.maxAttempts', { retry: { maxAttempts: 0 } }],
    ['pii', { pii: 'to' }],
    ['pii', { pii: [5] }],
  ])('%s in %j', (option, wrong) => {
    const define = () =>
      defineJob({ type: 'a.b', schema, ...wrong } as JobOptions<string, typeof schema>);
    expect(define).toThrow(ConfigInvalidError);
    expect(define).toThrow(expect.objectContaining({ setting: `job a.b: ${option}` }));
  });

  it('type', () => {
    expect(() => defineJob({ type: 'A', schema })).toThrow(/^type: "A" must be/);
  });
});
