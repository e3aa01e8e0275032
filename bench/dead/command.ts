import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAdmin } from '@warren/admin';
import { benchJob } from '../job.ts';

/** Runs `warren …` in this process, without a store and with its files in a folder of its own. */
export async function runWarren(
  args: readonly string[],
  url: string,
  namespace: string,
): Promise<{ readonly code: number; readonly out: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'warren-bench-'));
  let out = '';
  try {
    const code = await runAdmin(args, {
      env: { AMQP_URL: url, WARREN_NAMESPACE: namespace, WARREN_DATA_DIR: folder },
      out: (text) => {
        out += text;
      },
      err: (text) => void process.stderr.write(text),
      isTerminal: false,
      signal: new AbortController().signal,
      jobs: [benchJob],
    });
    return { code, out };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
