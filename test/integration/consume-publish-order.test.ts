import { defineJob } from '@warren/contracts';
import { eventually, type Installation, install, sharedBrokerUrl } from '@warren/testing';
import { handle, type Worker } from '@warren/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type PickyProxy, startPickyProxy } from './support/picky-proxy.ts';

const job = defineJob({ type: 'order.probe', schema: z.object({}) });

let here: Installation;
let proxy: PickyProxy;
beforeAll(async () => {
  here = await install([job], { history: true });
  proxy = await startPickyProxy(new URL(sharedBrokerUrl()));
});
afterAll(async () => {
  await here.dispose();
  proxy.stop();
});

it('a worker that comes back takes no job before it can publish: what it tells could be lost with it', async () => {
  const couldPublish: unknown[] = [];
  const worker: Worker = await here.work(
    [handle(job, () => couldPublish.push(worker.readiness().checks['publisher']))],
    { connection: { urls: [proxy.url] } },
  );
  const jobs = await here.connect();
  await jobs.publish(job, {});
  await eventually('the first has run', () => couldPublish.length > 0);
  proxy.refuse('(publish)');
  proxy.cut();
  await jobs.publish(job, {});
  await eventually('one connection is back, the other is not', () => {
    const { checks } = worker.readiness();
    return proxy.let('(consume)') > 1 && proxy.refused > 2 && checks['publisher'] !== 'ok';
  });
  proxy.refuse(undefined);
  // The first, too, where its ack was cut off.
  await eventually('the second has run', () => couldPublish.length > 1);
  expect(new Set(couldPublish)).toEqual(new Set(['ok']));
});
