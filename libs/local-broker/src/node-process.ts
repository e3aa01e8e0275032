import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { killGroup, pauseGroup, signalGroup } from './process-group.ts';

/**
 * The port mapper is started beside the node, in the same process group, so that no daemon is left behind.
 * `exec`: the group's leader becomes the server script, which turns SIGTERM into a clean stop.
 */
const LAUNCH = 'epmd -address 127.0.0.1 </dev/null >/dev/null 2>&1 & exec "$0"';
const OUTPUT_KEPT_BYTES = 4000;

/** A running node: the server script, the Erlang machine and its helpers. */
export interface NodeProcess {
  /** Leader of the node's process group. */
  readonly pid: number;
  /** Resolves when no process of the node is left. */
  readonly gone: Promise<void>;
  isGone(): boolean;
  /** The end of what it printed. */
  output(): string;
  /** Freezes all its processes. */
  pause(): Promise<void>;
  resume(): void;
  /** SIGTERM, then SIGKILL when it is not gone after `boundMs`. */
  stop(boundMs: number): Promise<void>;
  /** SIGKILL of all its processes at once. */
  kill(): Promise<void>;
}

/** Starts a node in a process group of its own. It does not keep this process alive. */
export function spawnNode(
  command: (file: string, args: readonly string[]) => readonly [string, readonly string[]],
  server: string,
  env: Record<string, string>,
): NodeProcess {
  const [file, args] = command('/bin/sh', ['-c', LAUNCH, server]);
  const child = spawn(file, [...args], {
    env,
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return superviseNode(child);
}

function superviseNode(child: ChildProcess): NodeProcess {
  const pid = child.pid ?? 0;
  let output = '';
  let isGone = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-OUTPUT_KEPT_BYTES);
    });
    (stream as Socket | null)?.unref();
  }
  child.unref();
  child.once('error', (error) => {
    output += error.message;
  });
  // When the leader has ended, what is left of its group (the port mapper) is ended too. `close` comes
  // after the last process that holds the output has ended.
  child.once('exit', () => signalGroup(pid, 'SIGKILL'));
  const gone = new Promise<void>((resolve) => {
    child.once('close', () => {
      isGone = true;
      resolve();
    });
  });
  return {
    pid,
    gone,
    isGone: () => isGone,
    output: () => output.trim(),
    pause: () => pauseGroup(pid),
    resume: () => signalGroup(pid, 'SIGCONT'),
    stop: (boundMs) => stopChild(child, gone, boundMs),
    kill: () => killGroup(pid, gone),
  };
}

async function stopChild(child: ChildProcess, gone: Promise<void>, boundMs: number): Promise<void> {
  const pid = child.pid ?? 0;
  signalGroup(pid, 'SIGCONT');
  child.kill('SIGTERM');
  const bound = setTimeout(() => signalGroup(pid, 'SIGKILL'), boundMs);
  await gone;
  clearTimeout(bound);
}
