import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptFile } from '../domain/choose-evictions.ts';

/** Longer than any download may take. */
const LEFTOVER_AGE_MS = 3_600_000;

/** Half-written files end in this. */
export const PART = '.part';

/**
 * The files in the folder of documents. An analysis counts with its document.
 * @param abandonedBeforeMs when a document has to be older to be waited for by nobody, ms since 1970
 */
export async function listKept(folder: string, abandonedBeforeMs: number): Promise<KeptFile[]> {
  const names = await readdir(folder);
  const all = new Set(names);
  const kept: KeptFile[] = [];
  for (const name of names) {
    const isAnalysis = name.endsWith('.json');
    if (isAnalysis && all.has(name.replace(/json$/, 'pdf'))) continue;
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (!found?.isFile()) continue;
    const isAnalysed =
      isAnalysis || (all.has(name.replace(/pdf$/, 'json')) && name.endsWith('.pdf'));
    const isAbandoned = name.endsWith('.pdf') && found.mtimeMs < abandonedBeforeMs;
    const isSpare = isAnalysed || isAbandoned;
    kept.push({ name, sizeBytes: found.size, usedAtMs: found.mtimeMs, isSpare });
  }
  return kept;
}

/** Removes half-written files of processes that were killed. */
export async function removeLeftovers(folder: string, nowMs: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.endsWith(PART))) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && nowMs - found.mtimeMs > LEFTOVER_AGE_MS) await rm(path, { force: true });
  }
}
