import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startWatchdog } from './watchdog.ts';

it('kills the group that it watches last, and removes the folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'warren-watchdog-'));
  const watchdog = startWatchdog(folder);
  const spared = spawn('sleep', ['60'], { detached: true });
  const watched = spawn('sleep', ['60'], { detached: true });
  const gone = once(watched, 'exit');
  watchdog.watch(spared.pid as number);
  watchdog.watch(watched.pid as number);
  await watchdog.end();
  expect((await gone)[1]).toBe('SIGKILL');
  expect(existsSync(folder)).toBe(false);
  expect(spared.kill('SIGTERM')).toBe(true);
});

it('does nothing when it watches nothing', async () => {
  const watchdog = startWatchdog();
  watchdog.watch(0);
  await expect(watchdog.end()).resolves.toBeUndefined();
});
