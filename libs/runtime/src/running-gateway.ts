import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Beside the embedded store: who has it has this gateway too. */
const fileIn = (dataDir: string): string => join(dataDir, 'gateway-url');

/** Writes down where the gateway is of the process that has the embedded store; undefined: nowhere. */
export async function noteGateway(dataDir: string, url: string | undefined): Promise<void> {
  if (url === undefined) return rm(fileIn(dataDir), { force: true });
  await mkdir(dataDir, { recursive: true });
  await writeFile(fileIn(dataDir), `${url}\n`);
}

/** What was written down; only good while the embedded store has a holder. Whatever else the file may say is no address. */
export async function notedGateway(dataDir: string): Promise<string | undefined> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch(() => '');
  return /^https?:\/\/[\w.:[\]-]+$/.exec(text.trim())?.[0];
}
