import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of the repository as text. */
export const repositoryFile = (path: string): Promise<string> =>
  readFile(join(import.meta.dirname, '../..', path), 'utf8');
