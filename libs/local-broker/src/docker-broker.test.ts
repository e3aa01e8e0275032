import { expect, it } from 'vitest';
import { containerArguments } from './docker-broker.ts';

const ports = { amqp: 20_001, management: 20_002 };

it('a container is reachable on loopback only', () => {
  const published = containerArguments(ports, true).filter((each) => each.startsWith('--publish'));
  expect(published).toEqual(['--publish=127.0.0.1:20001:5672', '--publish=127.0.0.1:20002:15672']);
});

it('a container keeps its data only when asked to', () => {
  const volumes = (keep: boolean) =>
    containerArguments(ports, keep).filter((each) => each.startsWith('--volume'));
  expect(volumes(true)).toEqual(['--volume=warren-rabbitmq:/var/lib/rabbitmq']);
  expect(volumes(false)).toEqual([]);
});
