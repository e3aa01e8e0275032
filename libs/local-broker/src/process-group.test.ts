import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { isGroupHalted } from './group-threads.ts';
import { pauseGroup, signalGroup } from './process-group.ts';

/** Two processes, one of them with threads, that are never idle. */
const BUSY = `while :; do :; done & exec '${process.execPath}' -e 'console.log(1); for (;;) {}'`;

let leader = 0;
afterEach(() => signalGroup(leader, 'SIGKILL'));

it('stands still once paused, as a whole, and goes on when it is told to', async () => {
  const child = spawn('/bin/sh', ['-c', BUSY], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  leader = child.pid ?? 0;
  await once(child.stdout, 'data');
  expect(isGroupHalted(leader)).toBe(false);
  await pauseGroup(leader);
  expect(isGroupHalted(leader)).toBe(true);
  signalGroup(leader, 'SIGCONT');
  expect(isGroupHalted(leader)).toBe(false);
});
