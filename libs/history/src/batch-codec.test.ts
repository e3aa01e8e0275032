import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeBatch,
  encodeBatch,
  encodeCircuitReport,
  encodeDrops,
  encodeHeartbeat,
} from './batch-codec.ts';
import type { HistoryEvent } from './event.ts';
import { anyEvent, eventOf } from './history.fixture.ts';
import type { LimitNews } from './limit-news.ts';

const decode = (content: unknown) => decodeBatch(Buffer.from(JSON.stringify(content)));
const UNREADABLE = { events: [], heartbeats: [], circuits: [], drops: [], skipped: 1 };
const rowsIn = (body: Buffer) => (JSON.parse(body.toString()) as { events: unknown[][] }).events;
const row = rowsIn(encodeBatch([eventOf('started')]))[0] as unknown[];
const byRun = (events: readonly HistoryEvent[]) =>
  [...events].sort((a, b) => Number(a.run > b.run) - Number(a.run < b.run));

describe('a batch', () => {
  it('comes back as it was, each run in its order', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 30 }), (events) => {
        // What is undefined has no place in JSON.
        const told = JSON.parse(JSON.stringify(events)) as HistoryEvent[];
        const decoded = decodeBatch(encodeBatch(events));
        expect(decoded).toMatchObject({ heartbeats: [], skipped: 0 });
        expect(byRun(decoded.events)).toEqual(byRun(told));
      }),
    );
  });

  it('tells with the next event of a run that it began, and readers get both', () => {
    const run = [eventOf('started'), eventOf('log'), eventOf('succeeded')];
    const other = { ...eventOf('started'), run: 's' };
    const encoded = encodeBatch([other, ...run]);
    expect(rowsIn(encoded).map(([kind]) => kind)).toEqual(['started', 'log', 'succeeded']);
    expect(rowsIn(encoded)[1]?.slice(-2)).toEqual([1, 'w']);
    expect(decodeBatch(encoded).events).toEqual([other, ...run]);
    // Not what only has the same name.
    const stranger = { ...eventOf('succeeded'), attempt: 2 };
    expect(rowsIn(encodeBatch([eventOf('started'), stranger]))).toHaveLength(2);
  });

  it('is a message that a person can read', () => {
    expect(encodeBatch([eventOf('started')]).toString()).toBe(
      '{"v":1,"events":[["started","a","probe.run","probe.run",1,0,1,"r","w"]]}',
    );
  });

  it('never throws, whatever it is given, and counts what it leaves out', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), fc.json().map(Buffer.from)), (body) => {
        expect(decodeBatch(Buffer.from(body))).toEqual(UNREADABLE);
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue()))), (events) => {
        const decoded = decode({ v: 1, events });
        expect(decoded.events.length + decoded.skipped).toBe(events.length);
      }),
    );
  });

  it.each([
    ['of another version', { v: 2, events: [row] }],
    ['without a version', { events: [row] }],
    ['with nothing that is known', { v: 1, breakers: [] }],
    ['with a drop that is none', { v: 1, drops: [{ queue: 'q', fromMs: 1, toMs: -1 }] }],
    ['with a heartbeat that is none', { v: 1, heartbeat: { worker: 'w', atMs: 1, runs: [7] } }],
  ])('%s is left out', (_, content) => {
    expect(decode(content)).toEqual(UNREADABLE);
  });

  it.each([
    ['an unknown kind', ['teleported', ...row.slice(1)]],
    ['an inherited kind', ['constructor', ...row.slice(1)]],
    ['no id', row.with(1, null)],
    ['an endless id', row.with(1, 'x'.repeat(256))],
    ['half a generation', row.with(5, 0.5)],
    ['more attempts than a database counts', row.with(6, 2 ** 31)],
    ['a time before all times', row.with(4, -1)],
    ['no worker', row.slice(0, -1)],
  ])('with %s: that event is left out, its neighbours are not', (_, bad) => {
    const decoded = decode({ v: 1, events: [row, bad, row] });
    expect(decoded).toMatchObject({ events: [eventOf('started'), eventOf('started')], skipped: 1 });
  });

  it('of a later version of the kit may say more about an event', () => {
    expect(decode({ v: 1, events: [[...row, 'more', {}]] }).events).toEqual([eventOf('started')]);
  });
});

it('a heartbeat comes back as it was', () => {
  const circuits = [
    { breaker: 'smtp', queues: ['mail.send'], state: 'closed', sinceMs: 0 },
  ] as const;
  const crm = { name: 'crm', scope: 'global', queues: ['crm.sync'], rate: 60, per: '1m', burst: 1 };
  const own = { ...crm, name: 'host', by: 'function', ownRates: true, setting: 'HOST_RATE' };
  const limits = [crm, own] as LimitNews[];
  const heartbeat = { worker: 'w', atMs: 1, runs: ['r1', 'r2'], circuits, limits };
  expect(decodeBatch(encodeHeartbeat(heartbeat))).toEqual({
    events: [],
    heartbeats: [heartbeat],
    circuits: [],
    drops: [],
    skipped: 0,
  });
});

it('limits that make no sense are left out of a heartbeat, and the rest is read', () => {
  const good = { name: 'crm', scope: 'process', queues: [], rate: 1, per: '1s', burst: 1 };
  const bad = [
    null,
    { ...good, name: 7 },
    { ...good, scope: 'all' },
    { ...good, rate: 0 },
    { ...good, per: 1 },
    { ...good, queues: 'crm.sync' },
  ];
  const told = (limits: unknown) =>
    decode({ v: 1, heartbeat: { worker: 'w', atMs: 1, runs: [], limits } }).heartbeats[0];
  expect(told([...bad, { ...good, queues: ['a.b', 7], by: 7, ownRates: 'yes' }])?.limits).toEqual([
    { ...good, queues: ['a.b'] },
  ]);
  expect(told('none')).toEqual({ worker: 'w', atMs: 1, runs: [] });
});

it('what was dropped comes back as it was', () => {
  const drops = [{ queue: 'q', fromMs: 1, toMs: 2 }];
  expect(decodeBatch(encodeDrops(drops))).toEqual({
    events: [],
    heartbeats: [],
    circuits: [],
    drops,
    skipped: 0,
  });
});

describe('what changed of circuits', () => {
  const open = {
    breaker: 'crm',
    key: 'a.example',
    state: 'open',
    override: 'open',
    sinceMs: 4,
    trialAtMs: 9,
  };
  const report = { worker: 'w', atMs: 5, circuits: [open as never] };

  it('comes back as it was, and is no event to readers that do not know of it', () => {
    const body = encodeCircuitReport(report);
    expect(decodeBatch(body)).toEqual({ ...UNREADABLE, circuits: [report], skipped: 0 });
    const { circuits: _, ...asOldReadersSeeIt } = JSON.parse(body.toString()) as object & {
      circuits: unknown;
    };
    expect(decode(asOldReadersSeeIt)).toEqual({ ...UNREADABLE, skipped: 0 });
  });

  it.each([
    { ...open, state: 'ajar' },
    { ...open, breaker: '' },
    { ...open, key: 7 },
    { ...open, sinceMs: -1 },
    7,
  ])('%j is left out', (bad) => {
    const { circuits } = decode({
      v: 1,
      events: [],
      circuits: { ...report, circuits: [bad, open] },
    });
    expect(circuits).toEqual([report]);
  });
});
