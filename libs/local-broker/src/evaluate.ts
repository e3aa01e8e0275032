import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './run-command.ts';
import type { SystemRoot } from './system-root.ts';

/** Erlang's own small program for this; `rabbitmqctl` starts a whole Erlang machine each time, a matter of seconds. */
const ERL_CALL = '/usr/bin/erl_call';
const TIMEOUT_MS = 60_000;

/**
 * Something that evaluates Erlang on the node whose distribution listens on `port`; undefined where the system has no
 * `erl_call`. `env` must name the folder of the node's cookie as HOME.
 */
export function erlangEvaluator(
  root: SystemRoot,
  port: number,
  env: Record<string, string>,
): ((erlang: string) => Promise<string>) | undefined {
  if (!existsSync(join(root.path, ERL_CALL))) return undefined;
  const args = ['-address', `127.0.0.1:${port}`, '-timeout', String(TIMEOUT_MS / 1_000), '-e'];
  const [file, all] = root.enter(ERL_CALL, args);
  return async (erlang) => {
    // It takes no form for complete whose full stop ends its input.
    const input = `${erlang}\n`;
    return readAnswer(await runCommand(file, all, { env, timeoutMs: TIMEOUT_MS, input }));
  };
}

/**
 * What the expression yielded, as text.
 * @throws an error with the answer, where that is no result
 */
export function readAnswer(answer: string): string {
  const result = /^\{ok, (.*)\}$/s.exec(answer.trim())?.[1];
  if (result !== undefined) return result;
  throw new Error(`the node did not evaluate an expression: ${answer.trim()}`);
}
