import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePorts } from '@warren/local-broker';

/** When Redis tells the disk: before it answers, once a second, or whenever the system likes. */
export type AppendFsync = 'always' | 'everysec' | 'no';

/** A Redis of the bench's own. */
export interface PrivateRedis {
  readonly port: number;
  readonly version: string;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
}

const READY = 'Ready to accept connections';
const VERSION = /Redis version=([\d.]+)/;

/**
 * Starts a Redis on a free port, in a folder of its own, that appends every write to a file.
 * @throws Error when there is no `redis-server`, or it does not start
 */
export async function startRedis(appendFsync: AppendFsync): Promise<PrivateRedis> {
  const [port] = await freePorts(1);
  const folder = await mkdtemp(join(tmpdir(), 'warren-bench-redis-'));
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'yes',
    appendfsync: appendFsync,
    // BullMQ asks for it: no job may be thrown away to make room.
    'maxmemory-policy': 'noeviction',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const clear = () => rmSync(folder, { recursive: true, force: true });
  // It must not outlive the bench, however that ends.
  const kill = () => {
    child.kill('SIGKILL');
    clear();
  };
  process.once('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    await end(child);
    clear();
  };
  try {
    const version = await untilReady(child);
    return { port: port as number, version, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Resolves with its version. */
async function untilReady(child: ChildProcess): Promise<string> {
  const failed = once(child, 'error').then(([error]) => {
    throw new Error('BullMQ needs redis-server: install it, or run without BullMQ', {
      cause: error,
    });
  });
  return Promise.race([readVersion(child), failed]);
}

async function readVersion(child: ChildProcess): Promise<string> {
  let version = '';
  for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
    version = VERSION.exec(line)?.[1] ?? version;
    if (!line.includes(READY)) continue;
    child.stdout?.resume();
    return version;
  }
  throw new Error('redis-server has ended before it was ready');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
