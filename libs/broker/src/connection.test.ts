import { EventEmitter } from 'node:events';
import amqpManager from 'amqp-connection-manager';
import { afterEach, expect, it, vi } from 'vitest';
import { type ConnectionEvents, SupervisedConnection } from './connection.ts';

afterEach(() => void vi.restoreAllMocks());

/** A supervised connection whose manager is the test's own: it says what becomes of the connection. */
function supervised(events: ConnectionEvents = {}) {
  const manager = Object.assign(new EventEmitter(), { reconnectTimeInSeconds: 0 });
  vi.spyOn(amqpManager, 'connect').mockReturnValue(manager as never);
  const connection = new SupervisedConnection(
    'publish',
    { urls: ['amqp://localhost'] },
    { service: 'test', events },
  );
  const comesUp = (version: string) =>
    manager.emit('connect', { connection: { connection: { serverProperties: { version } } } });
  const goesDown = () => manager.emit('disconnect', { err: new Error('Unexpected close') });
  return { connection, comesUp, goesDown };
}

it('knows the version of the broker also while it is away, until it comes back with another', () => {
  const { connection, comesUp, goesDown } = supervised();
  expect(connection.serverVersion).toBeUndefined();
  comesUp('4.3.6');
  goesDown();
  expect([connection.current, connection.serverVersion]).toEqual([undefined, '4.3.6']);
  comesUp('4.4.0');
  expect(connection.serverVersion).toBe('4.4.0');
});

it('says that it is wanted before it is there', () => {
  const told: string[] = [];
  const { comesUp } = supervised({
    onOpening: (name) => told.push(`${name} is wanted`),
    onUp: (name) => told.push(`${name} is up`),
  });
  comesUp('4.3.6');
  expect(told).toEqual(['publish is wanted', 'publish is up']);
});
