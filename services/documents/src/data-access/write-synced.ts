import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { KeptDocument } from '../domain/analysis.ts';

/** Writes all of `body` to a new file, and resolves once it has reached the disk. */
export async function writeSynced(
  path: string,
  body: AsyncIterable<Uint8Array>,
): Promise<KeptDocument> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const file = await open(path, 'wx');
  try {
    for await (const chunk of body) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { sha256: hash.digest('hex'), sizeBytes };
}
