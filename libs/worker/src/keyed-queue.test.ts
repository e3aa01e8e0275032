import type { Delivery } from '@warren/broker';
import type { Job } from '@warren/contracts';
import { Gate, quietTelemetry } from '@warren/testing';
import { expect, it } from 'vitest';
import { KeySlots } from './key-slots.ts';
import { KeyedQueue } from './keyed-queue.ts';
import { Slots } from './slots.ts';

/** A queue with eight slots, two for each key, and room for three that wait for those of their key. */
function queueOf(maxHeld: number | undefined) {
  const started: string[] = [];
  const putOff: string[] = [];
  const gates = new Map<string, Gate>();
  const keyed = new KeyedQueue({
    fairBy: undefined,
    limitBy: undefined,
    gate: undefined,
    maxHeld: () => maxHeld,
    logger: quietTelemetry().logger,
    keySlots: { keyOf: ({ id }: Job) => id.slice(0, 1), slots: new KeySlots(2) },
    peek: ({ body }) => ({ id: String(body) }) as unknown as Job,
    postpone: async ({ body }) => void putOff.push(String(body)),
  });
  const execute = async (delivery: Delivery) => {
    const { body } = delivery;
    const gate = new Gate();
    started.push(String(body));
    gates.set(String(body), gate);
    await gate.opened;
    keyed.ran(delivery);
  };
  const slots = new Slots(8, (one: Delivery) => keyed.start(one, execute), keyed.line);
  let tag = 0;
  const receive = (...ids: string[]) => {
    for (const id of ids) {
      tag += 1;
      const delivery = { tag, body: Buffer.from(id) } as unknown as Delivery;
      keyed.receive(delivery, () => slots.add(delivery));
    }
  };
  const end = async (id: string) => {
    gates.get(id)?.open();
    await new Promise(setImmediate);
  };
  return { receive, end, started, putOff, slots };
}

it('runs no more of a key than it may, and those of others at once', async () => {
  const { receive, end, started, putOff, slots } = queueOf(3);
  receive('a1', 'a2', 'a3', 'a4', 'b1', 'a5');
  expect(started).toEqual(['a1', 'a2', 'b1']);
  // As many wait in hand as may: what is behind them in the queue must come into sight.
  receive('a6', 'b2', 'a7', 'b3', 'c1');
  expect([started.slice(3), putOff]).toEqual([
    ['b2', 'c1'],
    ['a6', 'a7', 'b3'],
  ]);
  await end('a2');
  await end('b1');
  expect([started.slice(5), slots.waiting]).toEqual([['a3'], 2]);
});

it('keeps them all in hand where none may be put off', async () => {
  const { receive, end, started, putOff, slots } = queueOf(undefined);
  receive('a1', 'a2', 'a3', 'a4', 'a5', 'a6');
  expect([started, putOff, slots.waiting]).toEqual([['a1', 'a2'], [], 4]);
  await end('a1');
  expect(started).toEqual(['a1', 'a2', 'a3']);
});
