import type { StreamMessage, StreamReader, StreamReaderOptions } from '@warren/broker';
import { metricValue, quietTelemetry } from '@warren/testing';
import { describe, expect, it } from 'vitest';
import { encodeBatch, encodeHeartbeat } from './batch-codec.ts';
import { eventOf } from './history.fixture.ts';
import { type HistoryBatch, HistoryReader } from './reader.ts';

/** A reader whose stream is the test. */
function setUp(onBatch: (batch: HistoryBatch) => Promise<void>) {
  const telemetry = quietTelemetry();
  const given: StreamReaderOptions[] = [];
  const reader = new HistoryReader({
    broker: {
      readStream(options) {
        given.push(options);
        return {} as StreamReader;
      },
    },
    stream: 'jobs.history',
    from: 'first',
    ...telemetry,
    onBatch,
  });
  return { reader, stream: given[0] as StreamReaderOptions, telemetry };
}

const messageOf = (offset: number, body: Buffer): StreamMessage =>
  ({ offset, body, properties: {} }) as unknown as StreamMessage;
const many = (events: number) => encodeBatch(Array.from({ length: events }, () => eventOf('log')));

describe('a reader of the history', () => {
  it('hands over about 2,000 events at a time, with the offset to keep', async () => {
    const seen: number[][] = [];
    const { stream } = setUp(async ({ events, heartbeats, firstOffset, offset }) => {
      seen.push([events.length, heartbeats.length, firstOffset, offset]);
    });
    const beat = encodeHeartbeat({ worker: 'w', atMs: 1, runs: [] });
    await stream.onMessages([
      messageOf(4, many(1_500)),
      messageOf(6, beat),
      messageOf(7, many(600)),
      messageOf(8, many(5_000)),
      messageOf(9, Buffer.from('garbage')),
    ]);
    expect(seen).toEqual([
      [2_100, 1, 4, 7],
      [5_000, 0, 8, 8],
      [0, 0, 9, 9],
    ]);
  });

  it('hands over again only what was refused', async () => {
    const seen: number[] = [];
    const { stream, telemetry } = setUp(async ({ offset }) => {
      seen.push(offset);
      if (seen.length === 2) throw new Error('the store is away');
    });
    const messages = [
      messageOf(0, Buffer.from('garbage')),
      messageOf(1, many(2_000)),
      messageOf(2, many(1_500)),
    ];
    await expect(stream.onMessages(messages)).rejects.toThrow('the store is away');
    await stream.onMessages(messages);
    expect(seen).toEqual([1, 2, 2]);
    expect(await metricValue(telemetry.metrics, 'jobs_history_skipped_total')).toBe(1);
  });

  it('counts and logs what it missed, and logs a problem once', async () => {
    const { stream, telemetry } = setUp(async () => {});
    stream.onGap?.(3, 10);
    stream.onGap?.(20, 0);
    for (let time = 0; time < 3; time += 1) stream.onProblem?.('no queue');
    expect(await metricValue(telemetry.metrics, 'jobs_history_missed_total')).toBe(7);
    expect(telemetry.lines).toHaveLength(3);
  });
});
