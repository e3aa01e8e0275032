import { buildTopology } from '@warren/topology';
import { describe, expect, it } from 'vitest';
import { findUndeclared } from './find-undeclared.ts';

/** Bindings as a broker has them where these job types were declared, and this subscriber. */
function brokerOf(namespace: string | undefined, jobTypes: readonly string[]) {
  const { bindings, queues } = buildTopology({
    ...(namespace !== undefined && { namespace }),
    jobTypes,
    subscribers: [{ name: 'audit', patterns: ['order.#'] }],
  });
  const bindingsFrom = async (exchange: string) =>
    bindings
      .filter((one) => one.exchange === exchange)
      .map((one) => ({
        destination: one.queue,
        destinationType: 'queue',
        routingKey: one.routingKey,
      }));
  return { management: { bindingsFrom }, queues: queues.map(({ name }) => name) };
}

const counted = (names: readonly string[]) =>
  names.map((name) => ({ name, messages: 3, consumers: 0 }));

describe.each([undefined, 'shop'])('findUndeclared in namespace %s', (namespace) => {
  const prefix = namespace === undefined ? '' : `${namespace}.`;
  const here = buildTopology({
    ...(namespace !== undefined && { namespace }),
    jobTypes: ['a.b'],
  });

  it('finds the queues of a job type that is gone, with what is in them', async () => {
    const { management, queues } = brokerOf(namespace, ['a.b', 'old.type']);
    const others = ['other', 'blue.old.type', `${prefix}jobs.replay.a.b`];
    const found = await findUndeclared(here, management, counted([...others, ...queues]));
    expect(found).toEqual(
      counted(['old.type', 'old.type.dead', 'old.type.suspect'].map((name) => prefix + name)),
    );
  });

  it('finds none where every queue is declared, here or by a subscriber', async () => {
    const { management, queues } = brokerOf(namespace, ['a.b']);
    expect(await findUndeclared(here, management, counted(queues))).toEqual([]);
  });
});

it('takes whoever reads dead letters or what is due besides for a stranger', async () => {
  const reader = { destination: 'reader', destinationType: 'queue', routingKey: '#' };
  const here = buildTopology({ jobTypes: ['a.b'] });
  const management = { bindingsFrom: async () => [reader] };
  expect(await findUndeclared(here, management, counted(['reader']))).toEqual([]);
});
