import { ConfigInvalidError } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import { queueMigration } from './migration.ts';
import { buildTopology } from './topology.ts';

const topology = buildTopology({
  namespace: 'shop',
  jobTypes: [{ type: 'email.send', lanes: true }],
  subscribers: [{ name: 'audit', patterns: ['order.#', 'user.*'] }],
  history: {},
});

describe('the migration of a queue', () => {
  it('leads every way into the queue to a queue that ends nothing', () => {
    const { queue, bindings, holding, holdingBindings } = queueMigration(topology, 'audit');
    expect(queue.name).toBe('shop.audit');
    expect(bindings.map(({ exchange, routingKey }) => `${exchange} ${routingKey}`)).toEqual([
      'shop.jobs.due shop.audit',
      'shop.events order.#',
      'shop.events user.*',
    ]);
    expect(holdingBindings).toEqual(bindings.map((one) => ({ ...one, queue: holding.name })));
    expect(holding.name).toBe('shop.jobs.migration.audit');
    expect(Object.keys(holding.arguments).sort()).toEqual(['x-delivery-limit', 'x-queue-type']);
  });

  it.each(['email.send', 'shop.email.send', 'email.send.high', 'email.send.suspect'])(
    'takes %s, with the namespace or without, and makes copies as of any move',
    (name) => {
      const { queue, locks, holding, through } = queueMigration(topology, name);
      expect(queue.name.endsWith(name)).toBe(true);
      expect(new Set([queue.name, ...locks, holding.name]).size).toBe(3);
      expect(through).toBeUndefined();
    },
  );

  it.each([
    ['email.send.dead', 'shop.jobs.dead', 'shop.email.send'],
    ['shop.audit.dead', 'shop.jobs.dead', 'shop.audit'],
    ['jobs.unroutable', 'shop.jobs.unroutable', ''],
  ])(
    'takes %s, copies exactly by a fanout of its own, and lets nobody take from it meanwhile',
    (name, exchange, routingKey) => {
      const { queue, bindings, holding, holdingBindings, through, locks } = queueMigration(
        topology,
        name,
      );
      expect(through).toMatchObject({ kind: 'exchange', name: holding.name, type: 'fanout' });
      expect(bindings).toEqual([
        { kind: 'binding', exchange, queue: queue.name, routingKey },
        { kind: 'binding', exchange: through?.name, queue: queue.name, routingKey: '' },
      ]);
      expect(holdingBindings).toEqual(bindings.map((one) => ({ ...one, queue: holding.name })));
      const { names } = topology;
      expect(locks).toEqual([names.migrationLock(queue.name), names.replayLock(queue.name)]);
    },
  );

  it.each([
    ['nobody', '"nobody" is not a queue here'],
    ['retry.1h', 'on its way out, as it is deleted would be lost. Stop all that publishes'],
    ['jobs.history', 'a stream goes on'],
  ])('refuses %s and says what to do', (name, part) => {
    expect(() => queueMigration(topology, name)).toThrow(ConfigInvalidError);
    expect(() => queueMigration(topology, name)).toThrow(part);
  });
});
