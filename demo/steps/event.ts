import { orderPlaced } from '@warren/catalog';
import type { Stage } from '../stage.ts';
import { expectSame } from '../support/expect-same.ts';
import { waitFor } from '../support/wait-for.ts';

/** Each subscriber has its own queue and retries: the failure of one is nothing to the other. */
export async function emitEvent(stage: Stage, tell: (line: string) => void): Promise<void> {
  const { jobs, subscribers, signal } = stage;
  const order = { orderId: 'A-1001', total: 4990, currency: 'EUR' };
  const { id } = await jobs.emit(orderPlaced, order);
  tell(`order.placed emitted, ${id}`);
  const runsOf = (name: string) =>
    subscribers.runs.filter((run) => run.name === name && run.id === id);
  await waitFor(
    'both subscribers have done their part',
    () =>
      subscribers.names.every((name) => runsOf(name).some(({ failed }) => !failed)) || undefined,
    signal,
  );
  for (const name of subscribers.names) {
    const words = runsOf(name).map(
      ({ attempt, failed }) => `attempt ${attempt} ${failed ? 'failed' : 'done'}`,
    );
    tell(`${name}: ${words.join(', ')}`);
  }
  expectSame(
    'runs of stock',
    runsOf('stock').map(({ attempt }) => attempt),
    [1],
  );
  expectSame(
    'runs of invoices',
    runsOf('invoices').map(({ attempt }) => attempt),
    [1, 2],
  );
}
