import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DEFAULT_SECRET, readSecrets, type Secrets } from '../domain/secrets.ts';

const KEY_BYTES = 32;

/**
 * A secret for one machine, kept in a file that only its user may read: made where there is none.
 * @throws SecretInvalidError where the file holds something else
 */
export async function developmentSecret(path: string): Promise<Secrets> {
  await mkdir(dirname(path), { recursive: true });
  const fresh = `whsec_${randomBytes(KEY_BYTES).toString('base64')}\n`;
  // Whoever comes first: two processes on one folder use the same.
  await writeFile(path, fresh, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    if (Object(error).code !== 'EEXIST') throw error;
  });
  return readSecrets([`${DEFAULT_SECRET}=${(await readFile(path, 'utf8')).trim()}`]);
}
