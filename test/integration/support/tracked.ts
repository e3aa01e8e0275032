import { Broker } from '@warren/broker';
import { newJobId } from '@warren/contracts';
import { type HistoryEvent, HistoryWriter } from '@warren/history';
import { loadConfig, type Service } from '@warren/runtime';
import type { Store } from '@warren/store';
import {
  AmqpAdmin,
  type CuttableProxy,
  deleteTopology,
  eventually,
  metricValue,
  newNamespace,
  openStoreBench,
  quietTelemetry,
  sharedBrokerUrl,
  sharedDatabaseUrl,
  startProxy,
} from '@warren/testing';
import { buildTopology } from '@warren/topology';
import { createService, trackerSettings } from '@warren/tracker';
import type { TestContext } from 'vitest';

const url = sharedBrokerUrl();

/** A tracker whose ways to the store and to the broker can be cut. */
export interface Tracked {
  readonly service: Service;
  readonly database: CuttableProxy;
  readonly broker: CuttableProxy;
  metric(name: string): Promise<number>;
}

/** A history of its own with a store of its own; all is deleted when the test has ended. */
export async function setUp({ onTestFinished }: Pick<TestContext, 'onTestFinished'>) {
  const topology = buildTopology({ namespace: newNamespace(), jobTypes: [], history: {} });
  const namespace = topology.names.namespace ?? '';
  const bench = await openStoreBench({ namespace });
  const broker = new Broker({ connection: { urls: [url] }, service: 'test', topology });
  const admin = await AmqpAdmin.connect(url);
  const history = new HistoryWriter({
    publisher: broker.publisher,
    exchange: topology.names.lifecycle,
    service: 'test',
    ...quietTelemetry(),
  });
  await eventually('the broker is ready', () => broker.publisher.isOpen);
  const endings: (() => Promise<unknown>)[] = [];
  onTestFinished(async () => {
    await Promise.all(endings.map((end) => end()));
    await history.close();
    await broker.close();
    await admin.close();
    await deleteTopology(url, topology);
    await bench.dispose();
  });

  async function track(silenceMs?: number): Promise<Tracked> {
    const [database, way] = [await startProxy(sharedDatabaseUrl()), await startProxy(url)];
    const telemetry = quietTelemetry('tracker');
    const store = await bench.open({ databaseUrl: database.url });
    const env = { AMQP_URL: way.url, WARREN_NAMESPACE: namespace };
    const config = loadConfig(trackerSettings, env);
    const service = createService(config, { ...telemetry, store, silenceMs });
    await service.start();
    endings.push(async () => {
      await service.stop();
      database.stop();
      way.stop();
    });
    const metric = (name: string) => metricValue(telemetry.metrics, name);
    return { service, database, broker: way, metric };
  }
  return { topology, namespace, broker, bench, admin, history, track, tell: tellWith(history) };
}

function tellWith(history: HistoryWriter) {
  return async (events: readonly HistoryEvent[]) => {
    for (const event of events) history.record(event);
    await eventually('all is told', async () => {
      await history.flush();
      return history.spooled === 0;
    });
  };
}

/** What all events of a job of one type say. */
export const base = (id: string, run = '') =>
  ({ id, type: 'email.send', queue: 'email.send', atMs: Date.now(), generation: 0, run }) as const;

/** All events of a job's life; every kind of end in turn. */
export function lifeOf(number: number, id = newJobId()): HistoryEvent[] {
  const [first, second] = [newJobId(), newJobId()];
  const worker = `worker-${number % 5}`;
  const error = { name: 'SmtpError', message: `550 ${number}` };
  const start: HistoryEvent[] = [
    { ...base(id), attempt: 0, kind: 'queued', service: 'gateway' },
    { ...base(id, first), attempt: 1, kind: 'started', worker },
  ];
  if (number % 4 > 0) {
    return [
      ...start,
      { ...base(id, first), attempt: 1, kind: 'succeeded', durationMs: 5, result: `${number}` },
    ];
  }
  return [
    ...start,
    { ...base(id, first), attempt: 1, kind: 'progress', fraction: 0.5 },
    { ...base(id, first), attempt: 1, kind: 'log', seq: 1, level: 'info', message: 'half' },
    { ...base(id, first), attempt: 1, kind: 'retrying', dueAtMs: 1, isSpent: true, error },
    { ...base(id, second), attempt: 2, kind: 'started', worker },
    { ...base(id, second), attempt: 2, kind: 'dead', reason: 'attempts_exhausted', error },
  ];
}

export const stateOf = async (store: Store, id: string) => (await store.jobs.find(id))[0]?.state;
export const inState = (store: Store, id: string, state: string) =>
  eventually(`${id} is ${state}`, async () => (await stateOf(store, id)) === state);

/** Counters follow what can be seen in the store. */
export const reaches = ({ metric }: Tracked, name: string, value: number) =>
  eventually(`${name} is ${value}`, async () => (await metric(name)) === value);

/** As `reaches`, for what a slow machine may count more than once. */
export const passes = ({ metric }: Tracked, name: string, value: number) =>
  eventually(`${name} is ${value} or more`, async () => (await metric(name)) >= value);
