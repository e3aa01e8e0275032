import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { ConfigInvalidError } from './errors.ts';
import { defineEvent, type EventDefinition } from './event-definition.ts';
import type { PayloadInput, PayloadOptions, PayloadOutput } from './payload-definition.ts';
import { pii } from './pii.ts';

const schema = z.object({ order: z.string(), items: z.number().default(1) });

describe('defineEvent', () => {
  it('fills in the defaults, and knows nothing of how it is read', () => {
    expect(defineEvent({ type: 'order.placed', schema })).toEqual({
      kind: 'event',
      type: 'order.placed',
      schema,
      description: '',
      version: 1,
      upgrades: [],
      maxPayloadBytes: 1_048_576,
      piiPaths: [],
    });
  });

  it('takes what is written, and is frozen', () => {
    const upgrade = (payload: unknown) => payload;
    const event = defineEvent({
      type: 'order.placed',
      schema: z.object({ name: pii(z.string()) }),
      description: 'Somebody has ordered',
      version: 2,
      upgrade: { 1: upgrade },
      maxPayloadBytes: 100,
      pii: ['address.street'],
    });
    expect(event).toMatchObject({
      description: 'Somebody has ordered',
      version: 2,
      upgrades: [upgrade],
      maxPayloadBytes: 100,
      piiPaths: ['name', 'address.street'],
    });
    expect(Object.isFrozen(event)).toBe(true);
  });

  it('knows the type, the payload to emit and the payload to read', () => {
    const event = defineEvent({ type: 'order.placed', schema });
    expectTypeOf(event.type).toEqualTypeOf<'order.placed'>();
    expectTypeOf<PayloadInput<typeof event>>().toEqualTypeOf<{
      order: string;
      items?: number | undefined;
    }>();
    expectTypeOf<PayloadOutput<typeof event>>().toEqualTypeOf<{ order: string; items: number }>();
    expectTypeOf(event).toExtend<EventDefinition>();
  });

  it.each<[string, object]>([
    ['schema', { schema: {} }],
    ['version', { version: 0 }],
    ['upgrade', { version: 2 }],
    ['maxPayloadBytes', { maxPayloadBytes: 0 }],
    ['pii', { pii: 'name' }],
    // How a reader runs is the reader's to say.
    ['retry', { retry: { maxAttempts: 2 } }],
    ['timeout', { timeout: '5s' }],
    ['concurrency', { concurrency: 1 }],
    ['kind', { kind: 'event' }],
  ])('names %s in %j', (option, wrong) => {
    const define = () =>
      defineEvent({ type: 'a.b', schema, ...wrong } as PayloadOptions<string, typeof schema>);
    expect(define).toThrow(ConfigInvalidError);
    expect(define).toThrow(expect.objectContaining({ setting: `event a.b: ${option}` }));
  });

  it.each(['A', 'order.*', 'order.#', '', 'jobs.done', 'events.x', 'a.dead', 'a..b'])(
    'names type: %j',
    (type) => {
      expect(() => defineEvent({ type, schema })).toThrow(
        expect.objectContaining({ setting: 'type' }),
      );
    },
  );
});
