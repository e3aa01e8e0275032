import { writeFileSync } from 'node:fs';
import { documents } from './lib/documents.mjs';

/** Writes the documents that are generated from tables in the code. A test fails while one is stale. */
for (const [path, text] of Object.entries(documents)) {
  writeFileSync(new URL(`../${path}`, import.meta.url), text);
}
