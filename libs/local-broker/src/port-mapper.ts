import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { isPortFree } from './free-ports.ts';
import { killGroup } from './process-group.ts';
import type { SystemRoot } from './system-root.ts';
import { startWatchdog } from './watchdog.ts';

const UP_WITHIN_MS = 10_000;
const POLL_MS = 20;

/** A port mapper that no node takes with it when it ends: the nodes of a cluster find each other by it. */
export interface PortMapper {
  stop(): Promise<void>;
}

/**
 * Starts one on 127.0.0.1, in a process group of its own; it ends at the latest with this process.
 * Throws when it does not listen after ten seconds.
 */
export async function startPortMapper(
  root: SystemRoot,
  port: number,
  path: string,
): Promise<PortMapper> {
  const [file, args] = root.enter('/bin/sh', ['-c', 'exec epmd -address 127.0.0.1']);
  const child = spawn(file, [...args], {
    env: { PATH: path, ERL_EPMD_PORT: String(port) },
    cwd: '/',
    detached: true,
    stdio: 'ignore',
  });
  child.unref();
  const gone = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  const watchdog = startWatchdog();
  watchdog.watch(child.pid ?? 0);
  const stop = async () => {
    await killGroup(child.pid ?? 0, gone);
    watchdog.watch(0);
    await watchdog.end();
  };
  const endsAtMs = performance.now() + UP_WITHIN_MS;
  while (await isPortFree(port)) {
    if (performance.now() > endsAtMs) {
      await stop();
      throw new Error(`the port mapper epmd did not listen within ${UP_WITHIN_MS} ms`);
    }
    await delay(POLL_MS);
  }
  return { stop };
}
