import { StoreUnavailableError } from '@warren/contracts';
import type { CircuitEverywhere } from '@warren/history';
import type { JobReader, Leases } from '@warren/store';
import { createNames } from '@warren/topology';
import { expect, it } from 'vitest';
import { createQueueDesk } from './queue-desk.ts';

const names = createNames('ns');

const NO_LEASES = { leased: 0, expiredLeases: 0 };

const NOW = { pausedQueues: ['c.d'], concurrency: { 'a.b': { concurrency: 4 } }, atMs: 1 };

const FIGURES = new Map([
  ['ns.a.b', { ready: 3, consumers: 0 }],
  ['ns.a.b.dead', { ready: 2, consumers: 0 }],
  ['ns.a.b.suspect', { ready: 1, consumers: 1 }],
  ['ns.c.d.high', { ready: 5, consumers: 1 }],
  ['ns.c.d.low', { ready: 1, consumers: 1 }],
  ['ns.audit', { ready: 0, consumers: 2 }],
  ['ns.c.d', { ready: 9, consumers: 0 }],
]);

/** Where the circuit of `a.b` stands, if anybody tells. */
const circuit = (state: CircuitEverywhere['state']): CircuitEverywhere => ({
  breaker: 'smtp',
  queues: ['a.b'],
  state,
  sinceMs: 0,
  workers: [{ worker: 'w', state, sinceMs: 0 }],
});

interface Given {
  readonly circuits?: () => readonly CircuitEverywhere[];
  readonly unheard?: string;
  readonly laned?: readonly string[];
  readonly leases?: Leases['counts'];
  readonly known?: typeof FIGURES;
}

function desk(
  counts: JobReader['counts'],
  { laned, leases = async () => [], known = FIGURES, circuits = () => [], unheard }: Given = {},
) {
  const switched: unknown[] = [];
  const writtenDown: unknown[] = [];
  const made = createQueueDesk({
    broker: { figures: async (queues) => new Map(queues.map((name) => [name, known.get(name)])) },
    names,
    control: {
      current: async () => NOW,
      change: async (edit, before) => {
        await before?.();
        switched.push(edit(NOW));
      },
    },
    watch: { circuitsSoon: async () => circuits(), problem: unheard },
    writeDown: async (...what) => void writtenDown.push(what),
    reader: { counts },
    leases: { counts: leases },
    jobTypes: ['a.b', 'c.d', 'e.f'],
    laned,
  });
  return { ...made, switched, writtenDown };
}

it('puts together what broker, store and control say of each queue, those of subscribers too', async () => {
  const counts = [
    { queue: 'audit', state: 'retrying' as const, count: 4 },
    { queue: 'a.b', state: 'running' as const, count: 1 },
  ];
  const healthy = { health: 'healthy', problem: undefined };
  expect(await desk(async () => counts).reports()).toEqual([
    {
      queue: 'a.b',
      health: 'degraded',
      problem: 'jobs wait and nobody takes them',
      paused: false,
      set: { concurrency: 4 },
      consumers: 0,
      ready: 3,
      suspects: 1,
      dead: 2,
      jobs: { running: 1 },
      ...NO_LEASES,
    },
    {
      queue: 'audit',
      ...healthy,
      paused: false,
      consumers: 2,
      ready: 0,
      suspects: 0,
      dead: 0,
      jobs: { retrying: 4 },
      ...NO_LEASES,
    },
    {
      queue: 'c.d',
      ...healthy,
      paused: true,
      consumers: 0,
      ready: 9,
      suspects: 0,
      dead: 0,
      jobs: {},
      ...NO_LEASES,
    },
    {
      queue: 'e.f',
      health: 'degraded',
      problem: 'the queue does not exist at the broker',
      paused: false,
      consumers: 0,
      ready: 0,
      suspects: 0,
      dead: 0,
      jobs: {},
      ...NO_LEASES,
    },
  ]);
});

it('counts what waits in all lanes of a job type, and sees one that is missing', async () => {
  const { report } = desk(async () => [], { laned: ['c.d', 'a.b'] });
  expect(await report('c.d')).toMatchObject({ ready: 15, health: 'healthy' });
  const problem = 'the queue does not exist at the broker';
  expect(await report('a.b')).toMatchObject({ ready: 3, health: 'degraded', problem });
});

it('shows the long jobs of which the broker knows nothing, wherever they came from', async () => {
  const leases = [
    { queue: 'audit', from: 'ns.audit', running: 4, expired: 1 },
    { queue: 'audit', from: 'ns.audit.suspect', running: 1, expired: 0 },
    { queue: 'c.d', from: 'ns.c.d', running: 2, expired: 2 },
    { queue: 'late.one', from: 'ns.late.one', running: 1, expired: 0 },
  ];
  const { report, reports } = desk(async () => [], { leases: async () => leases });
  expect(await report('audit')).toMatchObject({ leased: 4, expiredLeases: 1, health: 'healthy' });
  expect((await reports()).map(({ queue }) => queue)).toContain('late.one');
  expect(await report('c.d'), 'it is paused').toMatchObject({
    leased: 0,
    expiredLeases: 2,
    health: 'healthy',
  });
});

it('is degraded where leases ended and nobody is there to see to their jobs', async () => {
  const leases = [{ queue: 'a.b', from: 'ns.a.b', running: 1, expired: 1 }];
  const problem = 'jobs wait and nobody takes them';
  const known = new Map([['ns.a.b', { ready: 0, consumers: 0 }]]);
  const { report } = desk(async () => [], { leases: async () => leases, known });
  expect(await report('a.b')).toMatchObject({ health: 'degraded', problem });
  const { report: other } = desk(async () => [], { known });
  expect(await other('a.b')).toMatchObject({ health: 'healthy' });
});

it('says of a queue that waits for a circuit so, as long as it does, also while its consumer is there for a trial', async () => {
  const since = 'since 1970-01-01T00:00:00.000Z';
  const figures = new Map([['ns.a.b', { ready: 9, consumers: 0 }]]);
  let state: CircuitEverywhere['state'] = 'open';
  const { report } = desk(async () => [], { known: figures, circuits: () => [circuit(state)] });
  expect(await report('a.b')).toMatchObject({
    health: 'degraded',
    problem: `circuit smtp is open: a.b waits for it (${since})`,
  });
  state = 'half_open';
  figures.set('ns.a.b', { ready: 8, consumers: 1 });
  expect(await report('a.b')).toMatchObject({
    health: 'degraded',
    problem: `circuit smtp is half-open: a.b waits for it (${since})`,
  });
  state = 'closed';
  expect(await report('a.b')).toMatchObject({ health: 'healthy', problem: undefined });
});

it('reads no history while nothing is left', async () => {
  const known = new Map([['ns.a.b', { ready: 9, consumers: 1 }]]);
  const circuits = () => {
    throw new Error('not asked for');
  };
  const { report } = desk(async () => [], { known, circuits });
  expect(await report('a.b')).toMatchObject({ health: 'healthy' });
});

it('says where workers cannot be heard that it does not know of circuits', async () => {
  const { report } = desk(async () => [], { unheard: 'the stream is gone' });
  expect(await report('a.b')).toMatchObject({
    problem:
      'jobs wait and nobody takes them; whether a circuit is open is not known: the stream is gone',
  });
});

it('tells what the broker says while the store is away', async () => {
  const away = () => Promise.reject(new StoreUnavailableError('gone'));
  const { report } = desk(away, { leases: away });
  expect(await report('a.b')).toMatchObject({
    ready: 3,
    jobs: undefined,
    leased: undefined,
    expiredLeases: undefined,
  });
});

it('asks the broker for nothing that cannot be a queue of jobs, whoever tells of it', async () => {
  const counts = [{ queue: 'x'.repeat(300), state: 'running' as const, count: 1 }];
  const { reports, report, setPaused, switched } = desk(async () => counts);
  expect((await reports()).map(({ queue }) => queue)).toEqual(['a.b', 'c.d', 'e.f']);
  for (const name of ['x'.repeat(300), 'a.b.dead', 'jobs.history', 'A b', '']) {
    await expect(report(name)).rejects.toMatchObject({ code: 'QUEUE_MISSING' });
    await expect(setPaused(name, true, 'ada')).rejects.toMatchObject({ code: 'QUEUE_MISSING' });
  }
  expect(switched).toEqual([]);
});

it('switches what exists only', async () => {
  const { setPaused, setCounts, switched, writtenDown } = desk(async () => []);
  await setPaused('a.b', true, 'ada');
  await setCounts('c.d', { concurrency: 2 }, 'ada');
  await setCounts('a.b', undefined, 'eve');
  await expect(setPaused('nobody', true, 'ada')).rejects.toMatchObject({ code: 'QUEUE_MISSING' });
  await expect(setCounts('nobody', undefined, 'ada')).rejects.toMatchObject({
    code: 'QUEUE_MISSING',
  });
  await expect(setCounts('a.b', { concurrency: 0 }, 'ada')).rejects.toMatchObject({
    setting: 'concurrency',
  });
  expect(switched).toEqual([
    { ...NOW, pausedQueues: ['a.b', 'c.d'] },
    { ...NOW, concurrency: { ...NOW.concurrency, 'c.d': { concurrency: 2 } } },
    { ...NOW, concurrency: {} },
  ]);
  expect(writtenDown).toEqual([
    ['ada', 'queue.pause', { queue: 'a.b' }],
    ['ada', 'queue.concurrency', { queue: 'c.d', concurrency: 2 }],
    ['eve', 'queue.concurrency', { queue: 'a.b', reset: true }],
  ]);
});
