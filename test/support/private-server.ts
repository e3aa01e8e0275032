import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { eventually, unusedPort } from '@warren/testing';

/** A program that serves HTTP for one test. */
export interface ServerPlan {
  readonly name: string;
  readonly program: string;
  /** Its arguments, for a server on this port of 127.0.0.1. */
  arguments(port: number): readonly string[];
  /** What it finds in its folder, which it is started in: texts by name. */
  readonly files: Readonly<Record<string, string>>;
}

/** One that runs: loopback only, with a port and data of its own. */
export interface PrivateServer {
  readonly address: string;
  readonly url: string;
  /** Kills it and removes its data. */
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 60_000;

/** Starts it, and waits until it says at `/-/ready` that it is. @throws with what it wrote when it is not */
export async function startServer(plan: ServerPlan): Promise<PrivateServer> {
  const folder = await mkdtemp(join(tmpdir(), `warren-${plan.name.toLowerCase()}-`));
  for (const [name, text] of Object.entries(plan.files)) await writeFile(join(folder, name), text);
  const port = await unusedPort();
  const command = [plan.program, ...plan.arguments(port)];
  const child = spawn('sh', ['-c', WHILE_WATCHED, ...command], {
    cwd: folder,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said = (said + chunk).slice(-4_000);
  });
  const address = `127.0.0.1:${port}`;
  const url = `http://${address}`;
  const stop = () => end(child, folder);
  const isReady = async () => (await fetch(`${url}/-/ready`)).ok;
  try {
    await eventually(`${plan.name} is ready`, isReady, READY_WITHIN_MS);
  } catch (error) {
    await stop();
    throw new Error(`${String(error)}\n${said}`);
  }
  return { address, url, stop };
}

/** Runs the command `$0 $@` until standard input ends: then the test wants it to, or was killed itself. */
const WHILE_WATCHED = '"$0" "$@" & cat >/dev/null; kill -9 $!; wait';

async function end(
  child: ChildProcessByStdio<Writable, null, Readable>,
  folder: string,
): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.stdin.end();
    await exited;
  }
  await rm(folder, { recursive: true, force: true });
}
