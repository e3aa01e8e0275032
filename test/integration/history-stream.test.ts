import { Broker } from '@warren/broker';
import {
  type HistoryBatch,
  type HistoryEvent,
  HistoryReader,
  type HistoryReaderOptions,
  HistoryWriter,
  type HistoryWriterOptions,
} from '@warren/history';
import {
  AmqpAdmin,
  deleteTopology,
  eventually,
  metricValue,
  newNamespace,
  quietTelemetry,
  sharedBrokerUrl,
  startProxy,
} from '@warren/testing';
import { buildTopology } from '@warren/topology';
import { expect, it } from 'vitest';

const url = sharedBrokerUrl();

/** A history of its own, written and read through a proxy. */
async function setUp(history: { maxAge?: string; maxBytes?: number } = {}) {
  const topology = buildTopology({ namespace: newNamespace(), jobTypes: [], history });
  const { names } = topology;
  const proxy = await startProxy(url);
  const telemetry = quietTelemetry();
  const connection = { urls: [proxy.url] };
  const broker = new Broker({ connection, service: 'test', topology });
  const admin = await AmqpAdmin.connect(url);
  const seen: HistoryBatch[] = [];
  const gaps: (readonly [number, number])[] = [];
  const endings: (() => Promise<void>)[] = [];
  return {
    names,
    topology,
    proxy,
    broker,
    admin,
    seen,
    gaps,
    events: () => seen.flatMap(({ events }) => events),
    value: (name: string) => metricValue(telemetry.metrics, name),
    write(options: Partial<HistoryWriterOptions> = {}) {
      const { publisher } = broker;
      const exchange = names.lifecycle;
      const all = { publisher, exchange, service: 'test', ...telemetry, ...options };
      const writer = new HistoryWriter(all);
      endings.unshift(() => writer.close());
      return writer;
    },
    read(from: HistoryReaderOptions['from'], onBatch = async (_: HistoryBatch) => {}) {
      const reader = new HistoryReader({
        broker,
        stream: names.history,
        from,
        ...telemetry,
        onGap: (...gap) => void gaps.push(gap),
        onBatch: async (batch) => {
          await onBatch(batch);
          seen.push(batch);
        },
      });
      reader.start();
      return reader;
    },
    open: () =>
      eventually('the broker is there', () =>
        Object.values(broker.checks()).every((check) => check === 'ok'),
      ),
    async dispose() {
      for (const end of endings) await end();
      await broker.close();
      proxy.stop();
      await admin.close();
      await deleteTopology(url, topology);
    },
  };
}

const base = {
  type: 'probe.run',
  queue: 'probe.run',
  atMs: 1_790_000_000_000,
  generation: 0,
  attempt: 1,
  run: 'r',
};
const started = (id: string): HistoryEvent => ({ ...base, id, kind: 'started', worker: 'w' });
const line = (id: string): HistoryEvent => ({
  ...base,
  id,
  kind: 'log',
  seq: 1,
  level: 'info',
  message: 'm',
});

async function using(
  here: Awaited<ReturnType<typeof setUp>>,
  test: (here: Awaited<ReturnType<typeof setUp>>) => Promise<void>,
) {
  try {
    await here.open();
    await test(here);
  } finally {
    await here.dispose();
  }
}

it.concurrent('brings every event through lost connections and refusals, each message once', async () => {
  await using(await setUp(), async ({ write, read, proxy, events, seen, gaps }) => {
    const writer = write();
    let calls = 0;
    read('first', async () => {
      calls += 1;
      if (calls % 5 === 2) throw new Error('the store is away');
    });
    const ids = Array.from({ length: 3_000 }, (_, index) => `${index}`);
    for (const [index, id] of ids.entries()) {
      writer.record(started(id));
      if (index % 100 === 99) await new Promise((resolve) => setImmediate(resolve));
      if (index % 1_000 === 500) proxy.cut();
      if (index % 1_000 === 800) await writer.flush();
    }
    await eventually('all are read', () => new Set(events().map(({ id }) => id)).size === 3_000);
    const offsets = seen.map(({ offset }) => offset);
    expect(offsets).toEqual([...new Set(offsets)].sort((a, b) => a - b));
    expect(gaps).toEqual([]);
    expect(calls).toBeGreaterThan(seen.length);
  });
});

it.concurrent('goes on after the offset that was kept, and begins with what is to come', async () => {
  await using(await setUp(), async ({ write, read, events, seen, gaps, proxy }) => {
    const writer = write();
    for (const id of ['a', 'b', 'c']) {
      writer.record(started(id));
      await writer.flush();
    }
    const first = read('first');
    await eventually('three are read', () => events().length === 3);
    await first.close();
    expect(seen.at(-1)?.offset).toBe(2);
    seen.length = 0;
    const second = read(2);
    await eventually('the rest is read', () => events().length === 1);
    await second.close();
    expect(events().map(({ id }) => id)).toEqual(['c']);
    seen.length = 0;
    const third = read('next');
    await eventually('it reads', () => third.problem === undefined);
    // Nothing was read so far: what is told while it is away must not be missed.
    proxy.setOpen(false);
    writer.record(started('d'));
    await eventually('it is away', () => third.problem !== undefined);
    proxy.setOpen(true);
    await eventually('the new one is read', () => events().some(({ id }) => id === 'd'));
    expect(gaps).toEqual([]);
  });
});

it.concurrent('reports what the broker has dropped unread, and what is no history', async () => {
  const bounds = { maxBytes: 2_000_000 };
  await using(
    await setUp(bounds),
    async ({ write, read, events, seen, gaps, admin, names, value }) => {
      const garbage = [Buffer.from([0xff, 0xfe, 0]), '[]', 'null', '{"v":99,"events":[]}'];
      for (let round = 0; round < 6; round += 1) {
        for (const body of garbage) await admin.publish(names.lifecycle, 'any', body);
        await admin.publish(names.lifecycle, 'any', Buffer.alloc(1_100_000));
      }
      read(1);
      const writer = write();
      writer.record(started('last'));
      await eventually('the event is read', () => events().length === 1);
      const offset = seen[0]?.offset ?? 0;
      expect(gaps).toHaveLength(1);
      const [[from, to] = [0, 0]] = gaps;
      expect(from).toBe(1);
      expect(to).toBeGreaterThan(2);
      expect(await value('jobs_history_missed_total')).toBe(to - from);
      expect(offset).toBeGreaterThanOrEqual(to);
    },
  );
});

it.concurrent('counts and leaves out what it cannot read', async () => {
  await using(await setUp(), async ({ write, read, events, admin, names, value }) => {
    const good = ['started', 'good', 'probe.run', 'probe.run', 1, 0, 1, 'r', 'w', 'of later'];
    const unknown = ['teleported', ...good.slice(1)];
    const mixed = JSON.stringify({ v: 1, events: [unknown, good, ['log', 'good'], 7] });
    for (const body of ['', 'no JSON', '{"v":2,"events":[]}', mixed]) {
      await admin.publish(names.lifecycle, 'any', body, { headers: { 'x-stream-offset': 'me' } });
    }
    read('first');
    write().record(started('last'));
    await eventually('the last is read', () => events().some(({ id }) => id === 'last'));
    expect(events().map(({ id }) => id)).toEqual(['good', 'last']);
    expect(await value('jobs_history_skipped_total')).toBe(6);
  });
});

it.concurrent('holds no job while the broker is away, and what it keeps is bounded', async () => {
  await using(await setUp(), async ({ write, read, events, proxy, broker, value }) => {
    const writer = write({ limits: { maxEvents: 1_500 } });
    expect(writer.recordFinal(started('before'))).toBeInstanceOf(Promise);
    await writer.flush();
    proxy.setOpen(false);
    await eventually('the broker is away', () => !broker.publisher.isOpen);
    for (let count = 0; count < 1_000; count += 1) writer.record(line('line'));
    for (let count = 0; count < 1_000; count += 1) writer.record(started(`${count}`));
    expect(writer.recordFinal(started('final'))).toBeUndefined();
    expect(writer.spooled).toBeLessThanOrEqual(1_500);
    proxy.setOpen(true);
    read('first');
    await eventually('the last is read', () => events().some(({ id }) => id === 'final'));
    await eventually('all was confirmed', () => writer.spooled === 0);
    // Lines go first: of the others none is missing.
    const others = events().filter(({ kind }) => kind === 'started');
    expect(new Set(others.map(({ id }) => id)).size).toBe(1_000 + 2);
    const lines = events().filter(({ kind }) => kind === 'log').length;
    expect(await value('jobs_history_dropped_total')).toBe(1_000 - lines);
    expect(await value('jobs_history_events_total')).toBe(1_002 + lines);
  });
});

it.concurrent('goes on with a stream that was deleted and made anew', async () => {
  await using(await setUp(), async ({ write, read, events, gaps, seen, admin, names }) => {
    const writer = write();
    read('first');
    for (const id of ['a', 'b', 'c']) {
      writer.record(started(id));
      await writer.flush();
    }
    await eventually('they are read', () => events().length === 3);
    seen.length = 0;
    await admin.run((channel) => channel.deleteQueue(names.history));
    writer.record(started('new'));
    await eventually('the new one is read', () => events().some(({ id }) => id === 'new'));
    expect(gaps).toEqual([[3, 0]]);
  });
});

it.concurrent('serves with a stream that was made with other bounds', async () => {
  await using(await setUp({ maxAge: '1D', maxBytes: 9_000_000 }), async ({ names, topology }) => {
    const { namespace } = names;
    const other = buildTopology({ namespace, jobTypes: [], history: {} });
    expect(other.steps).not.toEqual(topology.steps);
    const broker = new Broker({ connection: { urls: [url] }, service: 'other', topology: other });
    try {
      await broker.declare().catch(() => {});
      await eventually('the topology serves', () =>
        Object.values(broker.checks()).every((check) => check === 'ok'),
      );
    } finally {
      await broker.close();
    }
  });
});
