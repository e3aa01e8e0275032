import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { runAdmin } from './run-admin.ts';
import { installedJobs } from './shell.ts';

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // Once: a second one ends the process, which loses nothing either.
  process.once(signal, () => interrupted.abort());
}
// Whoever reads the output may have had enough, as `head` has.
process.stdout.on('error', () => process.exit());

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

async function confirm(question: string): Promise<boolean> {
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const { signal } = interrupted;
    return /^y(es)?$/i.test((await asking.question(`${question} [y/N] `, { signal })).trim());
  } catch {
    // Ctrl-C, and the end of the input.
    return false;
  } finally {
    asking.close();
  }
}

const isAsking = process.stdin.isTTY === true && process.stderr.isTTY === true;

process.exitCode = await runAdmin(process.argv.slice(2), {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  write,
  progress: process.stderr.isTTY === true ? (text) => void process.stderr.write(text) : undefined,
  isTerminal: process.stdout.isTTY === true,
  size: process.stdout.isTTY
    ? () => ({ columns: process.stdout.columns, rows: process.stdout.rows })
    : undefined,
  confirm: isAsking ? confirm : undefined,
  input: process.stdin.isTTY ? undefined : () => process.stdin,
  signal: interrupted.signal,
  jobs: installedJobs,
});
