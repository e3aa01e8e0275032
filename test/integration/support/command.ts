import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAdmin } from '@warren/admin';
import type { JobDefinition } from '@warren/contracts';

/** Not the folder of whoever runs the tests. */
const DATA_DIR = join(tmpdir(), 'warren-tests');

/** How a command ran. */
export interface CommandRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command is run with beside its arguments. */
export interface CommandPlace {
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: readonly JobDefinition[];
  readonly input?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
  /** A terminal that somebody looks at. */
  readonly progress?: ((text: string) => void) | undefined;
}

/** Runs `warren …` in this process. */
export async function runCommand(
  args: readonly string[],
  { env, jobs, input, confirm, progress, signal }: CommandPlace,
): Promise<CommandRun> {
  let [stdout, stderr] = ['', ''];
  const code = await runAdmin(args, {
    env: { WARREN_DATA_DIR: DATA_DIR, ...env },
    out: (text) => {
      stdout += text;
    },
    err: (text) => {
      stderr += text;
    },
    isTerminal: false,
    confirm,
    progress,
    input:
      input === undefined
        ? undefined
        : async function* () {
            yield Buffer.from(input);
          },
    signal: signal ?? new AbortController().signal,
    jobs,
  });
  return { code, stdout, stderr };
}
