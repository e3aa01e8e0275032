import { catalog } from '@warren/catalog';
import { buildTopology } from '@warren/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_EXCHANGE } from './needed-access.ts';
import { LONGEST_PATTERN, permissionPattern } from './permission-pattern.ts';
import { serviceAccess } from './service-access.ts';

const topology = buildTopology({ namespace: 'shop', jobTypes: catalog, history: {} });
const { names } = topology;

function may(service: string, kind: 'configure' | 'write' | 'read', name: string): boolean {
  const found = serviceAccess(topology).find((one) => one.service === service);
  if (!found) throw new Error(`no ${service}`);
  return new RegExp(permissionPattern(found.access[kind]), 'u').test(name);
}

const queues = (role: string) =>
  topology.queues.filter((queue) => queue.role === role).map(({ name }) => name);

describe('serviceAccess', () => {
  it('has each service that the job types need, the gateway, the tracker and an operator', () => {
    expect(serviceAccess(topology).map(({ service }) => service)).toEqual([
      'gateway',
      'tracker',
      'documents',
      'email',
      'payment',
      'webhook',
      'operator',
    ]);
  });

  it('lets every queue that runs jobs be read by exactly one worker', () => {
    const workers = ['documents', 'email', 'payment', 'webhook'];
    for (const queue of [...queues('work'), ...queues('suspect')]) {
      expect(workers.filter((service) => may(service, 'read', queue))).toHaveLength(1);
    }
  });

  it('lets a worker retry, dead-letter and tell, and nothing of others', () => {
    for (const exchange of [names.due, names.dead, names.lifecycle, DEFAULT_EXCHANGE]) {
      expect(may('email', 'write', exchange)).toBe(true);
    }
    for (const tier of queues('retry')) expect(may('email', 'write', tier)).toBe(true);
    for (const queue of [...queues('dead'), names.unroutable, names.history]) {
      expect(may('email', 'read', queue)).toBe(false);
    }
    expect(may('email', 'read', names.workQueue('payment.charge'))).toBe(false);
    expect(may('payment', 'write', names.jobs)).toBe(false);
    expect(may('email', 'write', names.jobs)).toBe(true);
  });

  it('lets nobody but the operator declare or delete, but for locks of the gateway', () => {
    const all = [...topology.queues, ...topology.exchanges].map(({ name }) => name);
    for (const { service, access } of serviceAccess(topology)) {
      const pattern = new RegExp(permissionPattern(access.configure), 'u');
      const permitted = all.filter((name) => pattern.test(name));
      expect(permitted).toEqual(service === 'operator' ? all : []);
    }
    const lock = names.replayLock(names.deadQueue('email.send'));
    expect(may('gateway', 'configure', lock)).toBe(true);
  });

  it('lets the gateway take no job, and the tracker read the history and dead letters alone', () => {
    for (const queue of [...queues('work'), ...queues('suspect'), ...queues('retry')]) {
      expect(may('gateway', 'read', queue)).toBe(false);
      expect(may('tracker', 'read', queue)).toBe(false);
    }
    expect(may('gateway', 'write', names.jobs)).toBe(true);
    expect(may('tracker', 'read', names.history)).toBe(true);
    expect(may('tracker', 'write', names.jobs)).toBe(false);
  });

  it('says nothing of streams where there are none', () => {
    const without = serviceAccess(buildTopology({ jobTypes: ['a.b'] }));
    expect(without.map(({ service }) => service)).toEqual(['gateway', 'a', 'operator']);
    const { access } = without.find(({ service }) => service === 'a') ?? {};
    expect(access?.write).not.toContain(DEFAULT_EXCHANGE);
  });
});

describe('permissionPattern', () => {
  it.each([
    ['any', fc.string({ minLength: 1, maxLength: 12 })],
    [
      'dotted',
      fc.string({ unit: fc.constantFrom('a', 'b', '.', '|'), minLength: 1, maxLength: 6 }),
    ],
  ])('fits its names and no other: %s', (_kind, name) => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 8 }), name, (wanted, other) => {
        const pattern = new RegExp(permissionPattern(wanted), 'u');
        for (const one of wanted) expect(pattern.test(one)).toBe(true);
        expect(pattern.test(other)).toBe(wanted.includes(other));
      }),
    );
  });

  it('says once what begins or ends alike', () => {
    expect(permissionPattern(['x.a', 'y.a', 'x.a.dead', 'y.a.dead', 'x.b.dead'])).toBe(
      '^(?:(?:x\\.|y\\.)a(?:|\\.dead)|x\\.b\\.dead)$',
    );
  });

  it('is short enough for RabbitMQ 4.3, for each right in an installation', () => {
    for (const { access } of serviceAccess(topology)) {
      for (const names of [access.configure, access.write, access.read]) {
        expect(permissionPattern(names).length).toBeLessThan(LONGEST_PATTERN);
      }
    }
  });

  it('takes a dot for a dot', () => {
    expect(permissionPattern(['a.b', 'c'])).toBe('^(?:a\\.b|c)$');
    expect(permissionPattern([])).toBe('^$');
  });
});
