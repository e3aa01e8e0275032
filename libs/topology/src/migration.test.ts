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
    'takes %s, with the namespace or without',
    (name) => {
      const { queue, lock, holding } = queueMigration(topology, name);
      expect(queue.name.endsWith(name)).toBe(true);
      expect(new Set([queue.name, lock, holding.name]).size).toBe(3);
    },
  );

  it.each([
    ['nobody', '"nobody" is not a queue here'],
    ['email.send.dead', 'export its dead letters'],
    ['retry.1h', 'once it is empty'],
    ['jobs.unroutable', 'replay what is in it'],
    ['jobs.history', 'a stream goes on'],
  ])('refuses %s and says what to do', (name, part) => {
    expect(() => queueMigration(topology, name)).toThrow(ConfigInvalidError);
    expect(() => queueMigration(topology, name)).toThrow(part);
  });
});
