import type { OutgoingMessage } from '@warren/broker';
import { BrokerUnavailableError, PublishTimeoutError, UnroutableError } from '@warren/contracts';
import { eventually, metricValue, quietTelemetry } from '@warren/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LeasedMessage, OutboxPort } from './outbox-port.ts';
import { OutboxRelay } from './outbox-relay.ts';
import type { Outlet } from './outlet.ts';
import type { RelayBounds } from './relay-options.ts';

/** Rows in memory; `log` is what was asked of them. */
class Rows implements OutboxPort {
  due: LeasedMessage[] = [];
  readonly done_: string[] = [];
  readonly putBacks: { ids: readonly string[]; delayMs: number; problem: string }[] = [];
  /** The room for bytes that each lease was asked with. */
  readonly leased: number[] = [];
  failures = 0;

  add(...ids: string[]): void {
    for (const id of ids) {
      const properties = { messageId: `m-${id}`, type: 'a.b' };
      this.due.push({ id, exchange: 'jobs', routingKey: 'a.b', body: Buffer.of(), properties });
    }
  }

  async lease({ limit, maxBytes }: { limit: number; maxBytes: number }) {
    this.#fail();
    this.leased.push(maxBytes);
    return this.due.splice(0, limit);
  }

  async done(ids: readonly string[]) {
    this.#fail();
    this.done_.push(...ids);
  }

  async putBack(ids: readonly string[], options: { delayMs: number; problem: string }) {
    this.putBacks.push({ ids, ...options });
  }

  async pending() {
    return { count: 7, oldestAtMs: Date.now() - 60_000 };
  }

  #fail(): void {
    if (this.failures === 0) return;
    this.failures -= 1;
    throw new Error('the database is away');
  }
}

class FakeOutlet implements Outlet {
  isOpen = true;
  readonly sent: { message: OutgoingMessage; answer(error?: Error): void }[] = [];
  isEnding = false;
  close: () => void = () => {};
  readonly #ended = new Promise<void>((resolve) => {
    this.close = resolve;
  });

  refusal(): undefined {
    return undefined;
  }

  publish(message: OutgoingMessage) {
    return new Promise<void>((resolve, reject) => {
      this.sent.push({ message, answer: (error) => (error ? reject(error) : resolve()) });
    });
  }

  end() {
    this.isEnding = true;
    return this.#ended;
  }
}

let rows: Rows;
let outlets: FakeOutlet[];
let relay: OutboxRelay | undefined;
beforeEach(() => {
  rows = new Rows();
  outlets = [];
});
afterEach(async () => {
  for (const outlet of outlets) outlet.close();
  for (const { answer } of outlets.flatMap(({ sent }) => sent)) answer();
  await relay?.stop();
});

function start(bounds: RelayBounds = {}) {
  const telemetry = quietTelemetry();
  const jobs = {
    openOutlet: () => {
      const outlet = new FakeOutlet();
      outlets.push(outlet);
      return outlet;
    },
  };
  relay = new OutboxRelay({ outbox: rows, jobs, pollMs: 1, ...telemetry, ...bounds });
  return { relay, ...telemetry };
}
/** As it is handed over: committed just now, its properties all there. */
const committed = (id: string, bytes = 2): LeasedMessage => ({
  id,
  exchange: 'jobs',
  routingKey: 'a.b',
  body: Buffer.alloc(bytes),
  properties: { messageId: id, persistent: true, mandatory: true },
});
const first = () => outlets[0] as FakeOutlet;
const sent = (count: number, outlet = first()) =>
  eventually(`${count} are sent`, () => outlet.sent.length >= count && outlet.sent);

describe('a relay', () => {
  it('removes what is confirmed, and never has more in hand than it may', async () => {
    rows.add('1', '2', '3', '4', '5');
    start({ maxInHand: 4 });
    const published = await sent(4);
    expect(published).toHaveLength(4);
    expect(published[0]?.message.properties).toEqual({
      messageId: 'm-1',
      type: 'a.b',
      persistent: true,
      mandatory: true,
    });
    for (const { answer } of published) answer();
    await sent(5);
    await eventually('they are removed', () => rows.done_.length === 4);
    expect(rows.done_).toEqual(['1', '2', '3', '4']);
  });

  it('puts back what was refused, by the reason, and goes on', async () => {
    rows.add('1', '2', '3');
    start();
    const [one, two, three] = await sent(3);
    one?.answer(new UnroutableError('jobs', 'a.b', 'NO_ROUTE'));
    two?.answer(new BrokerUnavailableError('away'));
    three?.answer();
    await eventually(
      'all are settled',
      () => rows.putBacks.length === 2 && rows.done_.length === 1,
    );
    expect(rows.putBacks.map(({ ids }) => ids)).toEqual([['1'], ['2']]);
    expect(rows.putBacks[0]?.problem).toContain('NO_ROUTE');
    expect(outlets).toHaveLength(1);
  });

  it('repeats what may have come in only after its channel is closed; others go on meanwhile', async () => {
    rows.add('1', '2');
    start({ publishTimeoutMs: 10, leaseMs: 60 });
    const [one, two] = await sent(2);
    one?.answer(new PublishTimeoutError(10, 'none'));
    await eventually('there is another channel', () => outlets.length === 2);
    expect(first().isEnding).toBe(true);
    rows.add('3');
    const [three] = await sent(1, outlets[1]);
    expect(three?.message.properties.messageId).toBe('m-3');
    two?.answer(new PublishTimeoutError(10, 'none'));
    // The rows are kept from other relays for as long as it takes.
    await eventually('they are kept', () =>
      rows.putBacks.some(({ ids, delayMs }) => ids.length === 2 && delayMs === 60),
    );
    expect(rows.putBacks.every(({ problem }) => problem.includes('waiting'))).toBe(true);
    first().close();
    await eventually('they are put back', () => rows.putBacks.at(-1)?.problem.includes('confirm'));
    expect(rows.putBacks.at(-1)).toMatchObject({ ids: ['1', '2'], delayMs: 1_000 });
    expect(outlets).toHaveLength(2);
  });

  it('takes nothing while its channel is not open', async () => {
    const { relay: started } = start();
    first().isOpen = false;
    rows.add('1');
    started.wake();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(rows.due).toHaveLength(1);
    first().isOpen = true;
    await sent(1);
  });

  it('repeats a removal that the database did not take, and says once what is wrong', async () => {
    const { lines } = start();
    rows.add('1');
    const [one] = await sent(1);
    rows.failures = 3;
    one?.answer();
    await eventually('it is removed', () => rows.done_.length === 1);
    const problems = lines.filter(({ problem }) => problem === 'the database is away');
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.length).toBeLessThan(3);
  });

  it('stops when what is in hand is answered, and shows its outbox until then', async () => {
    const { relay: started, metrics } = start();
    rows.add('1');
    const [one] = await sent(1);
    expect(await metricValue(metrics, 'jobs_outbox_pending')).toBe(7);
    expect(await metricValue(metrics, 'jobs_outbox_oldest_age_seconds')).toBeGreaterThan(59);
    const stopped = started.stop();
    expect(started.stop()).toBe(stopped);
    await eventually('its channel ends', () => first().isEnding);
    one?.answer();
    first().close();
    await stopped;
    expect(rows.done_).toEqual(['1']);
    expect(await metricValue(metrics, 'jobs_outbox_pending')).toBe(0);
  });

  it('publishes at once what it is handed, and does not send it again when it finds it', async () => {
    const { relay: started } = start();
    expect(started.leaseMs).toBe(30_000);
    const row = committed('1');
    started.handOver(row);
    const [one] = await sent(1);
    expect(one?.message.properties).toBe(row.properties);
    rows.due.push(row);
    await eventually('it is found', () => rows.due.length === 0);
    rows.add('2');
    await sent(2);
    expect(first().sent.map(({ message }) => message.properties.messageId)).toEqual(['1', 'm-2']);
    one?.answer();
    await eventually('it is removed', () => rows.done_.includes('1'));
  });

  it('wants nothing handed over while its hand is half full, its channel closed, or once it stops', async () => {
    const { relay: started } = start({ maxInHand: 4, pollMs: 600_000 });
    started.handOver(committed('1'));
    expect(started.leaseMs).toBeGreaterThan(0);
    started.handOver(committed('2'));
    expect(started.leaseMs).toBe(0);
    for (const { answer } of await sent(2)) answer();
    await eventually('there is room', () => started.leaseMs > 0);
    first().isOpen = false;
    expect(started.leaseMs).toBe(0);
    first().isOpen = true;
    first().close();
    await started.stop();
    expect(started.leaseMs).toBe(0);
  });

  it('looks for what was left for want of room as soon as there is some', async () => {
    const { relay: started } = start({ maxInHand: 100, maxBytesInHand: 100, pollMs: 600_000 });
    await eventually('it has looked', () => rows.leased.length === 1);
    started.handOver(committed('1', 40));
    started.handOver(committed('2', 60));
    rows.add('3');
    started.wake();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(rows.leased).toEqual([100]);
    (await sent(2))[1]?.answer();
    await sent(3);
    expect(rows.leased).toEqual([100, 60]);
  });

  it('remembers what was published on another way until the database knows it', async () => {
    const { relay: started } = start({ pollMs: 600_000 });
    await eventually('it has looked', () => rows.leased.length === 1);
    rows.failures = 2;
    started.forget('1');
    await eventually('it is removed', () => rows.done_.length === 1);
    expect(rows.done_).toEqual(['1']);
  });

  it.each([
    ['waits no longer than it may', true],
    ['does not wait for a broker that is away', false],
  ])('%s when it stops, and leaves the rest to others', async (_what, isOpen) => {
    const { relay: started } = start({ pollMs: 600_000 });
    started.handOver(committed('1'));
    started.handOver(committed('2'));
    const [one] = await sent(2);
    one?.answer();
    first().isOpen = isOpen;
    await started.stop(isOpen ? 400 : 600_000);
    expect(rows.done_).toEqual(['1']);
    expect(rows.putBacks.at(-1)).toMatchObject({ delayMs: 5_000 });
    expect(rows.putBacks.at(-1)?.ids).toContain('2');
  });

  it.each([
    ['pollMs', { pollMs: 0 }],
    ['maxInHand', { maxInHand: 1.5 }],
    ['maxBytesInHand', { maxBytesInHand: 0 }],
    ['publishTimeoutMs', { publishTimeoutMs: Number.NaN }],
    ['leaseMs', { leaseMs: 15_000 }],
  ])('refuses a wrong %s', (setting, bounds) => {
    expect(() => start(bounds)).toThrowError(expect.objectContaining({ setting }));
  });
});
