import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Reads process groups from its standard input, one a line (0: none). At the end of input, which comes
 * however this process ended (SIGKILL too), it kills the last one and removes the folder, if one is named.
 */
const SCRIPT = `
group=0
while read -r line; do group=$line; done
if [ "$group" != 0 ]; then
  kill -KILL "-$group" 2>/dev/null
  tries=0
  while kill -0 "-$group" 2>/dev/null && [ $tries -lt 100 ]; do tries=$((tries + 1)); sleep 0.05; done
fi
if [ -n "$1" ]; then rm -rf "$1"; fi
`;

/** Kills a node that its parent left behind. */
export interface Watchdog {
  /** From now on this process group is the one to kill; 0 for none. */
  watch(processGroup: number): void;
  /** Ends the watchdog, which kills what it still watches and removes the temporary folder. */
  end(): Promise<void>;
}

/** Starts a watchdog. `temporaryFolder` is removed when it ends; leave it out to keep the data. */
export function startWatchdog(temporaryFolder?: string): Watchdog {
  // A session of its own: Ctrl-C in the terminal must not end it before the node is gone.
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'warren-watchdog', temporaryFolder ?? ''], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  child.unref();
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    watch: (processGroup) => void child.stdin.write(`${processGroup}\n`),
    end: () => endOfInput(child, ended),
  };
}

function endOfInput(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.ref();
  child.stdin?.end();
  return ended;
}
