import { describe, expect, it } from 'vitest';
import { enabledPlugins, nodeEnvironment, rabbitmqConf } from './node-config.ts';

const ports = { amqp: 1, distribution: 2, portMapper: 3, management: 4, prometheus: 5 };

describe('rabbitmq.conf', () => {
  it('listens on loopback only', () => {
    expect(rabbitmqConf(ports, [], '')).toBe('listeners.tcp.1 = 127.0.0.1:1\n\n');
  });

  it('has the settings of plugins that are on, and only those', () => {
    const conf = rabbitmqConf(ports, ['rabbitmq_management'], '');
    expect(conf).toContain('management.tcp.ip = 127.0.0.1\nmanagement.tcp.port = 4');
    expect(conf).not.toContain('prometheus');
    expect(rabbitmqConf(ports, ['rabbitmq_prometheus'], '')).toContain('prometheus.tcp.port = 5');
  });

  it('ends with what the caller adds', () => {
    expect(rabbitmqConf(ports, [], 'heartbeat = 5')).toMatch(/\nheartbeat = 5\n$/);
  });
});

it('enabled_plugins is an Erlang list', () => {
  expect(enabledPlugins([])).toBe('[].\n');
  expect(enabledPlugins(['a', 'b'])).toBe('[a,b].\n');
});

it('every file of the node lies in its data folder', () => {
  const env = nodeEnvironment('/data', ports, '/bin');
  const files = Object.entries(env).filter(([, value]) => value.startsWith('/'));
  const outside = files.filter(([, value]) => !value.startsWith('/data'));
  expect(outside).toEqual([['PATH', '/bin']]);
  expect(files.map(([name]) => name)).toContain('RABBITMQ_MNESIA_BASE');
});
