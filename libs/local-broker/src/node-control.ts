import { join } from 'node:path';
import { erlangEvaluator } from './evaluate.ts';
import {
  closeConnections,
  closeConnectionsLoop,
  endLoop,
  FLUSH_TABLES,
  resourceAlarm,
  slowLogLoop,
} from './faults.ts';
import { runCommand } from './run-command.ts';
import type { SystemRoot } from './system-root.ts';

/** A running loop that closes connections. */
export interface ConnectionCloser {
  /** Ends it; no connection is closed any more once this resolves. */
  stop(): Promise<void>;
}

/** A log that is made slow. */
export interface SlowLog {
  /** From when it resolves the log is as fast as it was. */
  stop(): Promise<void>;
}

/** What one can do to a running node through `rabbitmqctl`. Everything rejects with its message. */
export interface NodeControl {
  /** Runs `rabbitmqctl` against the node and resolves its standard output. */
  ctl(...args: string[]): Promise<string>;
  /** Evaluates an Erlang expression (with its final full stop) on the node and resolves the result as text. */
  eval(erlang: string): Promise<string>;
  /**
   * Makes the quorum queues declared so far survive `kill`. The broker writes its directory of them every
   * 500 ms only; killed before, it loses a new queue's messages, confirmed ones too (measured: 3.10.8, 4.3.6).
   */
  flushDeclarations(): Promise<void>;
  /** Raises or clears the memory alarm: while it is on, connections that publish are no longer read. */
  setMemoryAlarm(on: boolean): Promise<void>;
  /** The same with the alarm over disk space. */
  setDiskAlarm(on: boolean): Promise<void>;
  /** Closes every client connection once. */
  closeAllConnections(reason: string): Promise<void>;
  /** Closes every client connection `times` times, every `intervalMs`, from inside the broker. */
  closeConnectionsEvery(intervalMs: number, times: number): Promise<ConnectionCloser>;
  /** Makes the log of the quorum queues as slow as a disk that takes so long for each write. */
  slowLog(ms: number): Promise<SlowLog>;
}

const CTL_TIMEOUT_MS = 120_000;
const CLOSE_REASON = 'closed on purpose';

/** Controls the node that has this environment and listens to other Erlang nodes on this port. */
export function controlNode(
  root: SystemRoot,
  { scriptsDir, distributionPort }: { scriptsDir: string; distributionPort: number },
  env: Record<string, string>,
): NodeControl {
  const ctl = (...args: string[]): Promise<string> => {
    const [file, all] = root.enter(join(scriptsDir, 'rabbitmqctl'), ['--quiet', ...args]);
    return runCommand(file, all, { env, timeoutMs: CTL_TIMEOUT_MS });
  };
  const evaluate =
    erlangEvaluator(root, distributionPort, env) ??
    (async (erlang: string): Promise<string> => (await ctl('eval', erlang)).trim());
  return {
    ctl,
    eval: evaluate,
    flushDeclarations: async () => void (await evaluate(FLUSH_TABLES)),
    setMemoryAlarm: async (on) => void (await evaluate(resourceAlarm('memory', on))),
    setDiskAlarm: async (on) => void (await evaluate(resourceAlarm('disk', on))),
    closeAllConnections: async (reason) => void (await evaluate(closeConnections(reason))),
    closeConnectionsEvery: async (intervalMs, times) => {
      const loop = await evaluate(closeConnectionsLoop(intervalMs, times, CLOSE_REASON));
      return { stop: async () => void (await evaluate(endLoop(JSON.parse(loop) as string))) };
    },
    slowLog: async (ms) => {
      const loop = await evaluate(slowLogLoop(ms));
      return { stop: async () => void (await evaluate(endLoop(JSON.parse(loop) as string))) };
    },
  };
}
