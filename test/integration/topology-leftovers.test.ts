import { anyJob, eventually } from '@warren/testing';
import { buildTopology } from '@warren/topology';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { START_MS, Upkeep } from './support/upkeep.ts';

/** A job type that nobody of this installation has any more. */
const gone = anyJob('old.type');
const subscriber = { name: 'audit', patterns: ['order.#'] };
const before = buildTopology({ jobTypes: [gone], subscribers: [subscriber], history: {} });

let here: Upkeep;
beforeAll(async () => {
  here = await Upkeep.start();
}, START_MS);
afterAll(() => here?.stop(), START_MS);

it('warren topology diff finds the queues of a job type that is gone, and what is in them', async () => {
  const { admin } = here;
  expect(await here.warren(['topology', 'diff'])).toMatchObject({
    code: 0,
    stdout: 'No difference.\n',
  });
  await admin.run(async (channel) => {
    const own = before.queues.filter(({ jobType }) => jobType !== undefined);
    for (const { name, arguments: args } of own) {
      await channel.assertQueue(name, { durable: true, arguments: args });
    }
    for (const { exchange, queue, routingKey } of before.bindings) {
      if (own.some(({ name }) => name === queue)) {
        await channel.bindQueue(queue, exchange, routingKey);
      }
    }
  });
  await admin.publish('jobs.dead', gone.type, '{}', { persistent: true });
  const found = await eventually('the API has counted it', async () => {
    const { stdout } = await here.warren(['topology', 'diff', '--json']);
    const { undeclared } = JSON.parse(stdout) as { undeclared: { messages?: number }[] };
    return undeclared.some(({ messages }) => messages === 1) && undeclared;
  });
  expect(found.map((queue) => ({ messages: 0, consumers: 0, ...queue }))).toEqual([
    { name: 'old.type', messages: 0, consumers: 0 },
    { name: 'old.type.dead', messages: 1, consumers: 0 },
    { name: 'old.type.suspect', messages: 0, consumers: 0 },
  ]);
  const { code, stdout } = await here.warren(['topology', 'diff']);
  expect(code).toBe(1);
  expect(stdout).toContain('undeclared queue old.type.dead: 1 messages, 0 consumers\n');
  expect(stdout).toContain('"Removing a job type"');
});
