import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PublishBufferFullError } from '@warren/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PendingPublish } from './pending-publish.ts';
import { PublishQueue } from './publish-queue.ts';

let serial = 0;

function pending(size: number, headers?: Record<string, unknown>): PendingPublish {
  serial += 1;
  const properties = {
    messageId: `job-${serial}`,
    persistent: true,
    mandatory: true,
    ...(headers && { headers }),
  } as const;
  const message = { exchange: 'jobs', routingKey: 'a', body: Buffer.alloc(size), properties };
  return new PendingPublish(
    message,
    1_000,
    0,
    () => {},
    () => {},
  );
}

const limits = { maxMessages: 20, maxBytes: 500 };

interface Model {
  items: PendingPublish[];
  /** What was taken out, for `unshift` to put back. */
  taken: PendingPublish[];
}
type QueueCommand = fc.Command<Model, PublishQueue>;

const bytesOf = (items: readonly PendingPublish[]) =>
  items.reduce((sum, { message }) => sum + message.body.length, 0);

function command(name: string, run: (model: Model, real: PublishQueue) => void): QueueCommand {
  return {
    check: () => true,
    run(model, real) {
      run(model, real);
      expect([real.length, real.bytes]).toEqual([model.items.length, bytesOf(model.items)]);
    },
    toString: () => name,
  };
}

const push = (size: number) =>
  command(`push(${size})`, (model, real) => {
    const item = pending(size);
    const isFull =
      model.items.length >= limits.maxMessages || bytesOf(model.items) + size > limits.maxBytes;
    if (isFull) expect(() => real.push(item)).toThrow(PublishBufferFullError);
    else {
      real.push(item);
      model.items.push(item);
    }
  });
const shift = command('shift', (model, real) => {
  const item = model.items.shift();
  expect(real.shift()).toBe(item);
  if (item) model.taken.push(item);
});
const unshift = command('unshift', (model, real) => {
  real.unshift(model.taken);
  model.items.unshift(...model.taken);
  model.taken = [];
});
const extract = (modulo: number) =>
  command(`extract(% ${modulo})`, (model, real) => {
    const test = ({ message }: PendingPublish) => message.body.length % modulo === 0;
    expect(real.extract(test)).toEqual(model.items.filter(test));
    model.items = model.items.filter((item) => !test(item));
  });

const commands = fc.commands(
  [
    fc.nat(100).map(push),
    fc.nat(20).map(push),
    fc.constant(shift),
    fc.constant(unshift),
    fc.integer({ min: 2, max: 5 }).map(extract),
  ],
  { maxCommands: 80 },
);

describe('PublishQueue', () => {
  it('is a queue that is bounded by count and bytes', () => {
    fc.assert(
      fc.property(commands, (run) => {
        const model: Model = { items: [], taken: [] };
        fc.modelRun(() => ({ model, real: new PublishQueue(limits) }), run);
      }),
      { numRuns: 200 },
    );
  });

  it('keeps its order through thousands of publishes', () => {
    const queue = new PublishQueue({ maxMessages: 10_000, maxBytes: 1e6 });
    const items = Array.from({ length: 5_000 }, () => pending(1));
    for (const item of items) queue.push(item);
    expect(items.every((item) => queue.shift() === item)).toBe(true);
    expect([queue.length, queue.bytes, queue.shift()]).toEqual([0, 0, undefined]);
  });

  it('counts headers too', () => {
    const queue = new PublishQueue({ maxMessages: 10, maxBytes: 1_000 });
    expect(() => queue.push(pending(0, { note: 'x'.repeat(1_000) }))).toThrow(
      PublishBufferFullError,
    );
    queue.push(pending(10, { note: 'x'.repeat(500) }));
    expect(queue.bytes).toBeGreaterThanOrEqual(510);
    queue.shift();
    expect(queue.bytes).toBe(0);
  });

  it('never refuses what was accepted before', () => {
    const queue = new PublishQueue({ maxMessages: 1, maxBytes: 10 });
    queue.push(pending(10));
    queue.unshift([pending(50), pending(60)]);
    expect([queue.length, queue.bytes]).toEqual([3, 120]);
    expect(() => queue.push(pending(0))).toThrow(PublishBufferFullError);
  });

  it('has room until it is full, and for one more while nothing waits', () => {
    const queue = new PublishQueue({ maxMessages: 2, maxBytes: 10 });
    expect(queue.hasRoom).toBe(true);
    queue.push(pending(4));
    expect(queue.hasRoom).toBe(true);
    queue.push(pending(60), 'keep');
    expect([queue.hasRoom, queue.length, queue.bytes]).toEqual([false, 2, 64]);
    expect(() => queue.push(pending(0))).toThrow(PublishBufferFullError);
    queue.shift();
    expect(queue.hasRoom).toBe(false);
    queue.shift();
    expect(queue.hasRoom).toBe(true);
  });

  it('keeps nothing of what has left it', () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const queue = new PublishQueue({ maxMessages: 1_000, maxBytes: 1e6 });
    const left = Array.from({ length: 500 }, () => {
      queue.push(pending(1));
      const item = queue.shift();
      return item && new WeakRef(item);
    });
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      collectGarbage();
      expect(left.filter((ref) => ref?.deref() !== undefined).length).toBeLessThan(5);
    });
  });
});
