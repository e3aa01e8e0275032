import { describe, expect, it } from 'vitest';
import { node, queue, queues, topology } from './facts.fixture.ts';
import type { DoctorFacts } from './facts.ts';
import { only, troubles } from './troubles.fixture.ts';

describe('nodes', () => {
  const nodes = (...changes: Parameters<typeof node>[1][]) => ({
    nodes: { value: [0, 1, 2].map((index) => node(`n${index}`, changes[index])) },
  });

  it.each<[string, Partial<DoctorFacts>, string]>([
    ['down', nodes({ isRunning: false }), 'nodes problem: down: n0'],
    ['cut off', nodes({ partitions: ['n1'] }), 'nodes problem: do not see all others: n0'],
    ['in alarm', nodes({}, { hasDiskAlarm: true }), 'nodes problem: alarm over memory or disk'],
    ['nearly full', nodes({ memoryBytes: 3_900_000_000 }), 'nodes warning: memory is used'],
    ['without metrics', nodes({ plugins: [] }), 'plugins warning: no metrics'],
    ['with too few files', nodes({ fileLimit: 32_768 }), 'file limit warning: fewer than 65536'],
    [
      'with too many queues',
      { queueCount: { value: 18_000 } },
      'file handles problem: 18000 queues set up to 54000 aside',
    ],
    [
      'with the default disk limit',
      nodes({ diskFreeLimitBytes: 50_000_000 }),
      'disk limit warning: disk_free_limit is 50 MB',
    ],
    [
      'with little memory',
      nodes({ memoryLimitBytes: 1_000_000_000 }),
      'memory limit warning: less than 1.5 GiB',
    ],
    [
      'with flags off',
      { disabledFlags: { value: ['khepri_db'] } },
      'feature flags warning: off, so that a later version may not start: khepri_db',
    ],
    ['with old features', { deprecated: { value: ['global_qos'] } }, 'deprecated warning: in use'],
  ])('%s', (_, changes, expected) => {
    expect(only(changes)).toContain(expected);
  });

  it('without a part of the figures are not judged by it', () => {
    const little = {
      memoryBytes: undefined,
      memoryLimitBytes: undefined,
      diskFreeLimitBytes: undefined,
      fileLimit: undefined,
    };
    expect(troubles(nodes(little))).toEqual([]);
  });

  it('count no file handles by queue from 4.0', () => {
    expect(troubles({ version: '4.3.6', queueCount: { value: 18_000 } })).toEqual([]);
  });

  it('need three copies of a queue where there are three, and one where there is one', () => {
    const alone = queue('a.b', { members: ['n1'], online: ['n1'] });
    expect(only({ queues: queues(alone) })).toBe(
      'members problem: queues with fewer than 3 copies: a.b (1)',
    );
    const single = queues(
      ...topology.queues.map(({ name }) => queue(name, { members: ['n1'], online: ['n1'] })),
    );
    expect(only({ queues: single, nodes: { value: [node('n1')] } })).toContain(
      'cluster warning: a single node',
    );
    expect(only({ queues: queues(queue('a.b', { online: ['n1', 'n2'] })) })).toContain(
      'members warning: queues of which a copy is down: a.b',
    );
  });
});
