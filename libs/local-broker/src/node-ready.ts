import { setTimeout as delay } from 'node:timers/promises';
import { type BrokerGreeting, greetBroker } from './amqp-probe.ts';
import { readLogTail } from './node-files.ts';
import type { NodeProcess } from './node-process.ts';

const PROBE_TIMEOUT_MS = 2000;
const PROBE_EVERY_MS = 50;
const LOG_LINES = 20;

/**
 * Waits until a starting node answers as a broker. It opens its AMQP port last, after its plugins.
 * Throws, with the end of its output and log, when the node ends before or is not ready in time.
 */
export async function waitUntilReady(
  node: NodeProcess,
  amqpPort: number,
  dataDir: string,
  withinMs: number,
): Promise<BrokerGreeting> {
  const deadline = Date.now() + withinMs;
  while (Date.now() < deadline && !node.isGone()) {
    const greeting = await greetBroker('127.0.0.1', amqpPort, PROBE_TIMEOUT_MS);
    if (greeting) return greeting;
    await Promise.race([delay(PROBE_EVERY_MS), node.gone]);
  }
  const why = node.isGone() ? 'ended while starting' : `was not ready after ${withinMs} ms`;
  const log = await readLogTail(dataDir, LOG_LINES);
  throw new Error(`the private RabbitMQ node ${why}\n${node.output()}\n${log}`.trimEnd());
}
