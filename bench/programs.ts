import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from './as-services-run.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A server that runs in a process of its own, so that what measures it does not share its thread. */
export interface BenchServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** The gateway as it is shipped, with all defaults on, in a namespace of its own; resolves when it accepts jobs. */
export async function startGateway(brokerUrl: string, namespace: string): Promise<BenchServer> {
  const { DATABASE_URL } = process.env;
  const server = await start('services/gateway/src/main.ts', {
    PORT: '0',
    AMQP_URL: brokerUrl,
    WARREN_NAMESPACE: namespace,
    // With a store, where the environment names one: as it is run where jobs are to be found again.
    ...(DATABASE_URL !== undefined && { DATABASE_URL }),
  });
  const deadlineMs = Date.now() + 30_000;
  while (!(await fetch(`${server.url}/readyz`)).ok) {
    if (Date.now() > deadlineMs) throw new Error('the gateway is not ready within 30 s');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return server;
}

/** An express application that parses a JSON body and answers 202, and does nothing else. */
export function startBareExpress(): Promise<BenchServer> {
  return start('bench/bare-express.ts', {});
}

/** Resolves when the program has said its `url` in a line of JSON. */
async function start(path: string, env: Readonly<Record<string, string>>): Promise<BenchServer> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [...NODE_FLAGS, path], {
    cwd: ROOT,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line) as { url?: string };
    if (url === undefined) continue;
    child.stdout.resume();
    return { url, stop: () => stop(child) };
  }
  throw new Error(`${path} has ended`);
}

async function stop(child: ChildProcess): Promise<void> {
  const closed = once(child, 'exit');
  child.kill('SIGTERM');
  await closed;
}
