import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { greetBroker } from './amqp-probe.ts';
import { freePorts } from './free-ports.ts';
import { guestUrl, type ObtainContext, type ObtainedBroker } from './obtained-broker.ts';
import { runCommand } from './run-command.ts';

const IMAGE = 'rabbitmq:4.2-management';
const VOLUME = 'warren-rabbitmq';
const ENGINE_ANSWERS_WITHIN_MS = 5000;
/** Fetching the image counts too. */
const RUN_WITHIN_MS = 600_000;
const READY_WITHIN_MS = 120_000;
const PROBE_EVERY_MS = 200;
/** Stops the container at the end of input, which comes however this process ended. */
const STOP_AT_END = 'cat >/dev/null; exec docker stop "$0" >/dev/null 2>&1';

/** A container, when a Docker engine answers. */
export async function dockerBroker(context: ObtainContext): Promise<ObtainedBroker | undefined> {
  if (!(await engineAnswers())) return undefined;
  const [amqp, management] = (await freePorts(2)) as [number, number];
  context.log(`Starting ${IMAGE} in Docker`);
  const args = containerArguments({ amqp, management }, context.keepData);
  const id = (await runCommand('docker', args, { timeoutMs: RUN_WITHIN_MS })).trim();
  const stop = stopAtEnd(id);
  const address = { host: '127.0.0.1', port: amqp };
  if (await isReady(address.port)) {
    const consoleUrl = `http://127.0.0.1:${management}`;
    return { url: guestUrl(address), origin: 'docker', consoleUrl, stop };
  }
  await stop();
  throw new Error(`the container of ${IMAGE} was not ready after ${READY_WITHIN_MS} ms`);
}

async function engineAnswers(): Promise<boolean> {
  const args = ['version', '--format', '{{.Server.Version}}'];
  return runCommand('docker', args, { timeoutMs: ENGINE_ANSWERS_WITHIN_MS }).then(
    () => true,
    () => false,
  );
}

/** The arguments of `docker`. The host name is part of the node's name, under which it finds its data. */
export function containerArguments(
  ports: { readonly amqp: number; readonly management: number },
  keepData: boolean,
): string[] {
  return [
    'run',
    '--detach',
    '--rm',
    '--hostname=warren',
    `--publish=127.0.0.1:${ports.amqp}:5672`,
    `--publish=127.0.0.1:${ports.management}:15672`,
    ...(keepData ? [`--volume=${VOLUME}:/var/lib/rabbitmq`] : []),
    IMAGE,
  ];
}

function stopAtEnd(container: string): () => Promise<void> {
  const guard = spawn('/bin/sh', ['-c', STOP_AT_END, container], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  const ended = once(guard, 'exit');
  return async () => {
    guard.ref();
    guard.stdin.end();
    await ended;
  };
}

async function isReady(port: number): Promise<boolean> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline) {
    if (await greetBroker('127.0.0.1', port, PROBE_EVERY_MS * 10)) return true;
    await delay(PROBE_EVERY_MS);
  }
  return false;
}
