import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from './as-services-run.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A program of this repository, in a process of its own. */
export interface Program {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  /** Of Node, besides those of every process of the bench; with any, it may talk with this process. */
  readonly flags?: readonly string[] | undefined;
}

/** A server that runs in a process of its own, so that what measures it does not share its thread. */
export interface BenchServer {
  readonly url: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** The gateway as it is shipped, with all defaults on, in a namespace of its own. */
export interface GatewayPlace {
  readonly brokerUrl: string;
  readonly namespace: string;
  /** Of its store: as it is run where jobs are to be found again. */
  readonly databaseUrl?: string | undefined;
  readonly flags?: readonly string[] | undefined;
}

/** Resolves when it accepts jobs. */
export async function startGateway(place: GatewayPlace): Promise<BenchServer> {
  const { brokerUrl, namespace, databaseUrl, flags } = place;
  const server = await start({
    path: 'services/gateway/src/main.ts',
    flags,
    env: {
      PORT: '0',
      AMQP_URL: brokerUrl,
      WARREN_NAMESPACE: namespace,
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    },
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
  return start({ path: 'bench/bare-express.ts', env: {} });
}

/** Starts it; its log goes to its standard output. */
export function spawnProgram({ path, env, flags }: Program): ChildProcess {
  const { PATH, HOME } = process.env;
  return spawn(process.execPath, [...NODE_FLAGS, ...(flags ?? []), path], {
    cwd: ROOT,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'inherit', flags === undefined ? 'ignore' : 'ipc'],
  });
}

/** Asks it to end, and waits until it has. */
export async function stopProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'exit');
  child.kill('SIGTERM');
  await closed;
}

/** Resolves when the program has said its `url` in a line of JSON. */
async function start(program: Program): Promise<BenchServer> {
  const child = spawnProgram(program);
  const { stdout } = child;
  if (!stdout) throw new Error(`${program.path} has no output`);
  for await (const line of createInterface({ input: stdout })) {
    const { url } = JSON.parse(line) as { url?: string };
    if (url === undefined) continue;
    stdout.resume();
    return { url, child, stop: () => stopProgram(child) };
  }
  throw new Error(`${program.path} has ended`);
}
