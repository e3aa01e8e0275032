import { setTimeout as pause } from 'node:timers/promises';
import { publishInTransaction } from '@warren/client';
import type { JobDefinition } from '@warren/contracts';
import { endingOf, type Installation } from '@warren/testing';
import { TYPES, UNDECLARED } from './job-types.ts';
import type { LiveServices } from './services.ts';

/** Makes everything wrong that need happen only once. */
export async function makeFaults(
  { admin, topology: { names } }: Installation,
  { shop, leaver, remote }: LiveServices,
): Promise<void> {
  const publish = (job: JobDefinition, count: number) =>
    Promise.all(Array.from({ length: count }, () => shop.publish(job, {})));
  await publish(TYPES.chatty, 1);
  await remote.inHand.opened;
  remote.proxy.setOpen(false);
  remote.speak.open();
  await Promise.all([leaver.worker.stop(), leaver.stopMetrics()]);
  await publish(TYPES.left, 1);
  await publish(TYPES.dying, 1);
  await publish(TYPES.hanging, 5);
  await publish(TYPES.guarded, 5);
  await publish(TYPES.stormy, 8);
  await publish(TYPES.slow, 120);
  await shop.publish(TYPES.delayed, {}, { delay: '1s' });
  await admin.run((channel) => channel.deleteQueue(names.workQueue(TYPES.delayed.type)));
  const { database } = remote;
  const { schema } = database;
  await database.transaction(async (client) => {
    await publishInTransaction(client, TYPES.chatty, {}, { schema });
    await client.query(`UPDATE "${schema}".jobs SET created_at = now() - interval '2 minutes'`);
  });
}

/** Publishes what has to go on to be an alert, until the signal aborts. Some of it is meant to fail. */
export async function keepPublishing(
  here: Installation,
  { shop, stranger }: LiveServices,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all([
    repeat(signal, () => [
      ...Array.from({ length: 5 }, () => shop.publish(TYPES.slow, {})),
      ...Array.from({ length: 2 }, () => shop.publish(TYPES.bad, {})),
    ]),
    repeat(signal, () => Array.from({ length: 5 }, () => stranger.publish(UNDECLARED, {}))),
    repeat(signal, () => [publishLate(here)]),
  ]);
}

const EVERY_MS = 250;

async function repeat(signal: AbortSignal, send: () => readonly Promise<unknown>[]): Promise<void> {
  while (!signal.aborted) {
    await Promise.all(send().map(endingOf));
    await pause(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

const LATE_MS = 120_000;

/** As another client does it: that of the kit tells the time in the id. */
async function publishLate({ admin, topology: { names } }: Installation): Promise<void> {
  const timestamp = Math.floor((Date.now() - LATE_MS) / 1_000);
  await admin.run(async (channel) => {
    for (let n = 0; n < 6; n += 1) {
      const properties = { messageId: `${timestamp}-${n}`, persistent: true, timestamp };
      channel.publish(names.jobs, TYPES.late.type, Buffer.from('{}'), properties);
    }
  });
}
