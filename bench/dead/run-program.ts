import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Runs a program of the bench in a process of its own, so that nothing else is in its memory, and gives what it says in its
 * last line, in JSON. Its order is its argument.
 */
export async function runProgram<Answer>(
  path: string,
  order: object,
  flags: readonly string[],
): Promise<Answer> {
  const child = spawn(process.execPath, [...flags, path, JSON.stringify(order)], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let last = '';
  for await (const line of createInterface({ input: child.stdout })) last = line;
  const [code] = (await exited) as [number | null];
  if (code !== 0) throw new Error(`${path} ended with ${code}`);
  return JSON.parse(last) as Answer;
}
