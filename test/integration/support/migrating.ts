import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { BrokerSession } from '@warren/broker';
import { anyJob, eventually, type Installation, install } from '@warren/testing';
import { type QueueMigration, queueMigration } from '@warren/topology';
import type { GetMessage, Options } from 'amqplib';
import { afterEach, beforeEach, expect, onTestFinished } from 'vitest';
import { runCommand } from './command.ts';

/** The job type whose dead letters are migrated. */
export const job = anyJob('probe.run');

const OTHER_LIMIT = { 'x-queue-type': 'quorum', 'x-delivery-limit': 77 };

/** Of the test that runs. */
export let here: Installation;

/** An installation for each test, and what a migration that did not end left behind is deleted. */
export function installEach(): void {
  beforeEach(async () => {
    here = await install([job]);
  });
  afterEach(async () => {
    for (const name of ['probe.run.dead', 'jobs.unroutable']) {
      const { holding } = queueMigration(here.topology, name);
      await here.admin.run((channel) => channel.deleteQueue(holding.name));
      await here.admin.run((channel) => channel.deleteExchange(holding.name));
    }
    await here.dispose();
  });
}

/** Runs `warren …` on it. */
export const warren = (...args: string[]) =>
  runCommand(args, {
    env: { AMQP_URL: here.url, WARREN_NAMESPACE: here.namespace },
    jobs: [job],
  });

/** Closed when the test ends. */
export async function open(): Promise<BrokerSession> {
  const session = await BrokerSession.open({ connection: { urls: [here.url] }, service: 'test' });
  onTestFinished(() => session.close());
  return session;
}

/** A queue as a version before had it: another delivery limit, or a classic queue. */
export async function installBefore(
  name: string,
  args: object = OTHER_LIMIT,
): Promise<QueueMigration> {
  expect(await warren('topology', 'apply')).toMatchObject({ code: 0, stderr: '' });
  const migration = queueMigration(here.topology, name);
  const queue = migration.queue.name;
  await here.admin.run((channel) => channel.deleteQueue(queue));
  await here.admin.run((channel) => channel.assertQueue(queue, { arguments: args }));
  for (const { exchange, routingKey } of migration.bindings) {
    if (exchange === migration.through?.name) continue;
    await here.admin.run((channel) => channel.bindQueue(queue, exchange, routingKey));
  }
  return migration;
}

/** As the kit does: to the exchange of dead letters, by the name of the work queue. */
export function bury(body: Buffer | string, options: Options.Publish = {}): Promise<void> {
  const { names } = here.topology;
  return here.admin.publish(names.dead, names.workQueue(job.type), body, {
    persistent: true,
    mandatory: true,
    ...options,
  });
}

/** Many, whose ids are known. */
export async function buryMany(ids: readonly string[]): Promise<void> {
  const { names } = here.topology;
  await here.admin.run(async (channel) => {
    for (const messageId of ids) {
      const body = Buffer.from(JSON.stringify(messageId));
      channel.publish(names.dead, names.workQueue(job.type), body, { messageId, persistent: true });
    }
  });
  await eventually('all are dead', async () => {
    return (await here.admin.depth(names.deadQueue(job.type))) === ids.length;
  });
}

/** One that the broker dead-letters by itself, at least once. */
export async function rejectOne(messageId: string): Promise<void> {
  const { names } = here.topology;
  const queue = names.workQueue(job.type);
  await here.admin.publish(names.jobs, job.type, '1', { messageId, persistent: true });
  await here.admin.run(async (channel) => {
    const message = await channel.get(queue);
    if (message) channel.nack(message, false, false);
  });
}

/** What a message is made of, but for the user, and what the broker counts. */
function facts({ content, fields: { routingKey }, properties }: GetMessage) {
  const { userId: _, headers, ...others } = properties;
  const counts = ['x-delivery-count', 'x-acquired-count'];
  const kept = Object.entries(headers ?? {}).filter(([name]) => !counts.includes(name));
  return {
    content: content.toString('hex'),
    routingKey,
    others,
    headers: Object.fromEntries(kept),
  };
}

/** All that is in a queue, and stays there. */
export async function lookAt(queue: string) {
  const depth = (await here.admin.depth(queue)) ?? 0;
  const session = await open();
  const seen: ReturnType<typeof facts>[] = [];
  await session.browse(queue, {
    limit: Number.MAX_SAFE_INTEGER,
    onMessage(message) {
      seen.push(facts(message as unknown as GetMessage));
      return true;
    },
  });
  expect(seen).toHaveLength(depth);
  return seen;
}

/** Their ids, in order. */
export const idsOf = (messages: readonly ReturnType<typeof facts>[]) =>
  messages.map(({ others }) => String(others.messageId));

/** Migrates the queue in a process that kills itself at this moment: see the fixture. */
export async function dieAt(moment: string, queue: string): Promise<void> {
  const program = fileURLToPath(new URL('../fixtures/migrate-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', program], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      AMQP_URL: here.url,
      WARREN_NAMESPACE: here.namespace,
      JOB_TYPE: job.type,
      QUEUE: queue,
      DIE_AT: moment,
    },
  });
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += String(chunk);
  });
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  expect({ moment, signal, log }).toEqual({ moment, signal: 'SIGKILL', log: '' });
}
