import { execFile } from 'node:child_process';

/** How to run a command. */
export interface CommandOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** What it reads. Default: nothing. */
  readonly input?: string;
  /** After this long it is killed with SIGKILL and counts as failed. */
  readonly timeoutMs: number;
}

/**
 * Runs a command without a shell and resolves what it wrote to standard output.
 * Rejects with what it wrote to standard error when it fails, cannot be started or takes too long.
 */
export function runCommand(
  file: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<string> {
  const { timeoutMs, env, input } = options;
  const settings = { timeout: timeoutMs, killSignal: 'SIGKILL', ...(env && { env }) } as const;
  return new Promise((resolve, reject) => {
    const child = execFile(file, [...args], settings, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const why = error.killed
        ? `took longer than ${timeoutMs} ms`
        : stderr.trim() || error.message;
      reject(new Error(`${file} ${args.join(' ')}: ${why}`, { cause: error }));
    });
    // One that ends without having read it says why itself.
    if (input !== undefined) child.stdin?.on('error', () => undefined).end(input);
  });
}
