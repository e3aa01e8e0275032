import { CommanderError } from 'commander';
import { type ExitCode, exitCodeOf } from './exit-codes.ts';
import { readAdmin } from './open-session.ts';
import type { Run } from './program/parts.ts';
import { buildProgram } from './program.ts';
import type { AdminShell } from './shell.ts';
import { visible } from './text/visible.ts';
import { withTraces } from './with-traces.ts';

/** Runs one command line (`argv` without program and script) to its exit code. Never rejects. */
export async function runAdmin(argv: readonly string[], shell: AdminShell): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const run: Run = async (command) => {
    const admin = readAdmin(shell);
    exitCode = await withTraces(admin, argv, () => command(admin));
  };
  const output = {
    writeOut: shell.out,
    writeErr: (text: string) => shell.err(visibleLines(text)),
  };
  const jobTypes = shell.jobs.map(({ type }) => type);
  const program = buildProgram(run, output, [...jobTypes, 'jobs.unroutable']);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    // The parser has said by itself what is wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    shell.err(`warren: ${visibleLines((error as Error).message)}\n`);
    return exitCodeOf(error);
  }
}

/** Messages may quote what was typed or what the broker said. */
function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}
