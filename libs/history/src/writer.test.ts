import type { OutgoingMessage } from '@warren/broker';
import { BrokerBlockedError, PayloadTooLargeError, PublishTimeoutError } from '@warren/contracts';
import { metricValue, quietTelemetry } from '@warren/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { decodeBatch } from './batch-codec.ts';
import { eventOf } from './history.fixture.ts';
import { HistoryWriter } from './writer.ts';

/** A publisher whose answers are the test's to give. */
class FakePublisher {
  isOpen = true;
  blocked: Error | undefined;
  readonly sent: { message: OutgoingMessage; confirm(): void; fail(error: Error): void }[] = [];

  refusal(): Error | undefined {
    return this.blocked;
  }

  publish(message: OutgoingMessage): Promise<void> {
    return new Promise((confirm, fail) => this.sent.push({ message, confirm, fail }));
  }

  /** Events in each message so far. */
  get counts(): number[] {
    return this.sent.map(({ message }) => decodeBatch(message.body).events.length);
  }
}

let publisher: FakePublisher;
let telemetry: ReturnType<typeof quietTelemetry>;
let writer: HistoryWriter;
const value = (name: string) => metricValue(telemetry.metrics, name);
const isSettled = async (promise: Promise<unknown> | undefined) => {
  const pending = Symbol('pending');
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending;
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  publisher = new FakePublisher();
  telemetry = quietTelemetry();
  writer = new HistoryWriter({ publisher, exchange: 'jobs.lifecycle', service: 's', ...telemetry });
});
afterEach(() => vi.useRealTimers());

describe('a writer', () => {
  it('sends what was told within 25 ms as one message, and 500 at once', () => {
    for (let count = 0; count < 3; count += 1) writer.record(eventOf('started'));
    vi.advanceTimersByTime(24);
    expect(publisher.counts).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(publisher.counts).toEqual([3]);
    expect(publisher.sent[0]?.message).toMatchObject({
      exchange: 'jobs.lifecycle',
      routingKey: 's',
      properties: { persistent: true, mandatory: true, appId: 's' },
    });
    for (let count = 0; count < 500; count += 1) writer.record(eventOf('started'));
    expect(publisher.counts).toEqual([3, 500]);
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
  });

  it('sends what somebody waits for within 5 ms, and with it all that was told', () => {
    writer.record(eventOf('started'));
    vi.advanceTimersByTime(10);
    void writer.recordFinal(eventOf('succeeded'));
    vi.advanceTimersByTime(3);
    writer.record(eventOf('started'));
    void writer.recordFinal(eventOf('succeeded'));
    vi.advanceTimersByTime(2);
    expect(publisher.counts).toEqual([4]);
    expect(vi.getTimerCount()).toBe(0);
    void writer.recordFinal(eventOf('succeeded'));
    vi.advanceTimersByTime(5);
    expect(publisher.counts).toEqual([4, 1]);
  });

  it('lets all who wait for one message share its confirm', async () => {
    const [first, second] = [
      writer.recordFinal(eventOf('succeeded')),
      writer.recordFinal(eventOf('succeeded')),
    ];
    expect(first).toBeInstanceOf(Promise);
    expect(second).toBe(first);
    vi.advanceTimersByTime(5);
    expect(await isSettled(first)).toBe(false);
    publisher.sent[0]?.confirm();
    await first;
    expect(writer.spooled).toBe(0);
    expect(await value('jobs_history_events_total')).toBe(2);
  });

  it.each([
    ['away', { isOpen: false }],
    ['blocking', { blocked: new BrokerBlockedError('memory') }],
  ])('makes nobody wait for a broker that is %s, and sends when it is back', (_, how) => {
    Object.assign(publisher, how);
    expect(writer.recordFinal(eventOf('succeeded'))).toBeUndefined();
    writer.beat({ worker: 'w', atMs: 1, runs: [] });
    vi.advanceTimersByTime(60_000);
    expect(publisher.counts).toEqual([]);
    publisher.isOpen = true;
    publisher.blocked = undefined;
    vi.advanceTimersByTime(100);
    expect(publisher.counts).toEqual([1]);
  });

  it('sends again what failed, after a pause, and makes nobody wait meanwhile', async () => {
    const waiting = writer.recordFinal(eventOf('succeeded'));
    vi.advanceTimersByTime(5);
    publisher.sent[0]?.fail(new PublishTimeoutError(10_000, 'nowhere'));
    await waiting;
    expect(writer.recordFinal(eventOf('succeeded'))).toBeUndefined();
    vi.advanceTimersByTime(200);
    expect(publisher.counts).toEqual([1]);
    vi.advanceTimersByTime(200);
    expect(publisher.counts).toEqual([1, 1, 1]);
    expect(telemetry.lines).toHaveLength(1);
  });

  it('takes many that fail of one cause for one failure, and pauses no longer for them', async () => {
    for (let count = 0; count < 16; count += 1) {
      writer.record(eventOf('started'));
      vi.advanceTimersByTime(100);
    }
    expect(publisher.sent).toHaveLength(16);
    for (const { fail } of publisher.sent.splice(0)) {
      fail(new PublishTimeoutError(10_000, 'nowhere'));
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(writer.isAvailable).toBe(true);
    for (const { confirm } of publisher.sent.splice(0)) confirm();
    await vi.advanceTimersByTimeAsync(200);
    for (const { confirm } of publisher.sent.splice(0)) confirm();
    await vi.advanceTimersByTimeAsync(5);
    expect(writer.spooled).toBe(0);
  });

  it('gives up what no repetition would bring through', async () => {
    const waiting = writer.recordFinal(eventOf('succeeded'));
    vi.advanceTimersByTime(5);
    publisher.sent[0]?.fail(new PayloadTooLargeError('t', 2, 1));
    await waiting;
    vi.advanceTimersByTime(60_000);
    // The second only admits it.
    expect(publisher.counts).toEqual([1, 0]);
    expect(await value('jobs_history_dropped_total')).toBe(1);
  });

  it('has 16 messages on their way at most; batches grow instead', async () => {
    for (let count = 0; count < 16; count += 1) {
      writer.record(eventOf('started'));
      vi.advanceTimersByTime(25);
    }
    for (let count = 0; count < 7; count += 1) {
      writer.record(eventOf('started'));
      vi.advanceTimersByTime(25);
    }
    expect(publisher.sent).toHaveLength(16);
    expect(await value('jobs_history_spooled')).toBe(23);
    publisher.sent[0]?.confirm();
    await vi.advanceTimersByTimeAsync(5);
    expect(publisher.counts.at(-1)).toBe(7);
  });

  it('admits what it gave up once it can, but for lines', async () => {
    writer = new HistoryWriter({
      publisher,
      exchange: 'x',
      service: 's',
      limits: { maxEvents: 2 },
      ...telemetry,
    });
    publisher.isOpen = false;
    for (const atMs of [5, 9]) writer.record({ ...eventOf('started'), atMs });
    for (const atMs of [7, 8]) writer.record({ ...eventOf('succeeded'), atMs });
    writer.record({ ...eventOf('log'), queue: 'q' });
    publisher.isOpen = true;
    vi.advanceTimersByTime(100);
    const told = () => publisher.sent.flatMap(({ message }) => decodeBatch(message.body).drops);
    expect(told()).toEqual([{ queue: 'probe.run', fromMs: 7, toMs: 8 }]);
    publisher.sent[0]?.fail(new PublishTimeoutError(10_000, 'nowhere'));
    await vi.advanceTimersByTimeAsync(100);
    expect(told()).toHaveLength(2);
    expect(told()[1]).toEqual(told()[0]);
    publisher.sent.at(-1)?.confirm();
    for (const { confirm } of publisher.sent) confirm();
    await writer.flush();
    vi.advanceTimersByTime(1_000);
    expect(told()).toHaveLength(2);
  });

  it('is flushed when all is confirmed, or after two seconds', async () => {
    const flushed = writer.flush();
    await flushed;
    writer.record(eventOf('started'));
    const confirmed = writer.flush();
    expect(await isSettled(confirmed)).toBe(false);
    publisher.sent[0]?.confirm();
    await confirmed;
    writer.record(eventOf('started'));
    const overdue = writer.flush();
    await vi.advanceTimersByTimeAsync(2_000);
    await overdue;
    expect(writer.spooled).toBe(1);
  });

  it('says when what was told so far has arrived, which what is told later does not put off', async () => {
    expect(await writer.whenTold(1_000)).toBe(true);
    writer.record(eventOf('started'));
    const told = writer.whenTold(10_000);
    await vi.advanceTimersByTimeAsync(5);
    writer.record(eventOf('started'));
    publisher.sent[0]?.fail(new PublishTimeoutError(10_000, 'nowhere'));
    await vi.advanceTimersByTimeAsync(400);
    expect(await isSettled(told)).toBe(false);
    publisher.sent[1]?.confirm();
    expect(await told).toBe(true);
    const late = writer.whenTold(10_000);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await late).toBe(false);
    expect(writer.spooled).toBe(1);
  });

  it('drops what is left when it is closed, and what is told later', async () => {
    publisher.isOpen = false;
    writer.record(eventOf('started'));
    await writer.close();
    await writer.close();
    writer.record(eventOf('started'));
    expect(writer.recordFinal(eventOf('succeeded'))).toBeUndefined();
    expect(await value('jobs_history_dropped_total')).toBe(3);
    expect(await value('jobs_history_spooled')).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('shows what all writers of a process hold', async () => {
  const other = new HistoryWriter({ publisher, exchange: 'x', service: 'o', ...telemetry });
  writer.record(eventOf('started'));
  other.record(eventOf('started'));
  expect(await value('jobs_history_spooled')).toBe(2);
});
