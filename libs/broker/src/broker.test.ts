import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Broker as RealBroker } from './broker.ts';
import { FakeConnection } from './fake-channel.fixture.ts';

const made = vi.hoisted(() => ({ connection: undefined as unknown }));

vi.mock('./connection.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  SupervisedConnection: function ofTheTest() {
    return made.connection;
  },
}));

// Other files of this process may have loaded the real module before, and may want it after.
vi.resetModules();
const { Broker } = await import('./broker.ts');
afterAll(() => void vi.resetModules());

const DECLARE_AGAIN_MS = 30_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A broker on a fake connection that is up, its topology declared. */
async function declared() {
  const connection = new FakeConnection();
  made.connection = connection;
  const onDeclared = vi.fn();
  const broker = new Broker({
    connection: { urls: ['amqp://127.0.0.1'] },
    service: 'test',
    topology: { steps: [] } as unknown as RealBroker['topology'],
    events: { onDeclared },
  });
  connection.comesUp();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(broker.checks()['topology']).toBe('ok');
  return { connection, broker, onDeclared };
}

it('declares again by itself after a repair that failed while the connection stood', async () => {
  const { connection, broker } = await declared();
  connection.refusals.push(new Error('refused'));
  await Promise.all([broker.repair(), vi.advanceTimersByTimeAsync(1_000)]);
  expect(broker.checks()['topology']).toBe('refused');
  await vi.advanceTimersByTimeAsync(DECLARE_AGAIN_MS);
  expect(broker.checks()['topology']).toBe('ok');
});

it('repairs once a second at most, also where repairs fail', async () => {
  const { connection, broker } = await declared();
  vi.useRealTimers();
  connection.refusals.push(new Error('first'), new Error('second'));
  await broker.repair();
  const failedAtMs = performance.now();
  await broker.repair();
  expect(broker.checks()['topology']).toBe('second');
  expect(performance.now() - failedAtMs).toBeGreaterThan(900);
});

it('repairs at once when the clock was set back since the last time', async () => {
  const { broker, onDeclared } = await declared();
  const clock = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => clock() - 3_600_000);
  const repaired = broker.repair();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(onDeclared).toHaveBeenCalledTimes(2);
  await repaired;
});
