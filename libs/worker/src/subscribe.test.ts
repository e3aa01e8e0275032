import {
  ConfigInvalidError,
  defineEvent,
  defineJob,
  type EventDefinition,
} from '@warren/contracts';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { type PatternSubscribeOptions, subscribe } from './subscribe.ts';

const placed = defineEvent({
  type: 'order.placed',
  schema: z.object({ order: z.string(), items: z.number().default(1) }),
});
const paid = defineEvent({ type: 'order.paid', schema: z.object({ order: z.string() }) });
const ignore = () => {};

function refused(source: unknown, options: object): ConfigInvalidError {
  try {
    subscribe(source as string, options as PatternSubscribeOptions, ignore);
  } catch (error) {
    if (error instanceof ConfigInvalidError) return error;
    throw error;
  }
  throw new Error('it was taken');
}

describe('subscribe', () => {
  it('to an event runs under its own name and policy, bound by the name of the event', () => {
    const { definition, subscription } = subscribe(
      placed,
      { as: 'audit', timeout: '5s', concurrency: 2, retry: { maxAttempts: 2 } },
      ignore,
    );
    expect(definition).toMatchObject({
      type: 'audit',
      timeoutMs: 5_000,
      concurrency: 2,
      retry: { maxAttempts: 2 },
    });
    expect(subscription?.patterns).toEqual(['order.placed']);
    expect(subscription?.eventOf('order.placed')).toBe(placed);
  });

  it('to an event checks against it whatever else gets into the queue', () => {
    const { subscription } = subscribe(placed, { as: 'audit' }, ignore);
    expect(subscription?.eventOf('order.old')).toBe(placed);
    expect(subscription?.eventOf('')).toBe(placed);
  });

  it('to a pattern checks the events that it was given, and no other', () => {
    const { subscription } = subscribe('order.#', { as: 'audit', events: [placed, paid] }, ignore);
    expect(subscription?.patterns).toEqual(['order.#']);
    expect(subscription?.eventOf('order.placed')).toBe(placed);
    expect(subscription?.eventOf('order.paid')).toBe(paid);
    expect(subscription?.eventOf('order.lost')).toBeUndefined();
    expect(subscription?.eventOf('')).toBeUndefined();
  });

  it('hands the handler the payload of the event, and of a pattern an unknown one', () => {
    subscribe(placed, { as: 'audit' }, ({ payload }) => {
      expectTypeOf(payload).toEqualTypeOf<{ order: string; items: number }>();
    });
    subscribe('order.#', { as: 'audit' }, ({ payload }) => {
      expectTypeOf(payload).toEqualTypeOf<unknown>();
    });
    // @ts-expect-error one event needs no list of them
    expect(() => subscribe(placed, { as: 'audit', events: [paid] }, ignore)).toThrow();
  });

  it.each<[string, unknown, object]>([
    ['as', placed, {}],
    ['as', placed, { as: '' }],
    ['as', placed, { as: 'Audit' }],
    ['as', placed, { as: 'audit.dead' }],
    ['as', placed, { as: 'events' }],
    ['as', 'order.#', { as: 7 }],
    ['subscriber audit: timeout', placed, { as: 'audit', timeout: 5 }],
    ['subscriber audit: retry.maxAttempts', placed, { as: 'audit', retry: { maxAttempts: 0 } }],
    ['subscriber audit: timeOut', placed, { as: 'audit', timeOut: '5s' }],
    ['subscriber audit: type', placed, { as: 'audit', type: 'other' }],
    ['subscriber audit: schema', placed, { as: 'audit', schema: z.string() }],
    ['subscriber audit: version', placed, { as: 'audit', version: 2 }],
    ['subscriber audit: pii', placed, { as: 'audit', pii: ['order'] }],
    ['subscriber audit: events', placed, { as: 'audit', events: [] }],
    ['subscriber audit: events', 'order.#', { as: 'audit', events: ['order.placed'] }],
    ['subscriber audit: events', 'order.#', { as: 'audit', events: placed }],
    ['subscriber audit: events', 'order.#', { as: 'audit', events: [placed, placed] }],
    ['subscriber audit: event', defineJob({ type: 'a.b', schema: z.string() }), { as: 'audit' }],
    ['subscriber audit: event', null, { as: 'audit' }],
    ['pattern', 'order.**', { as: 'audit' }],
    ['pattern', '', { as: 'audit' }],
    ['pattern', '#.#.#', { as: 'audit' }],
  ])('names %s', (setting, source, options) => {
    expect(refused(source, options).setting).toBe(setting);
  });

  it('passes the event and the context on, and gives back what the handler gives', () => {
    const seen: unknown[] = [];
    const { run } = subscribe(placed as EventDefinition, { as: 'audit' }, (...both) => {
      seen.push(both);
      return 'done';
    });
    const both = [{ id: '1' }, { log: 'log' }] as unknown as Parameters<typeof run>;
    expect(run(...both)).toBe('done');
    expect(seen).toEqual([both]);
  });
});
