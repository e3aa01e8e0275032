import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedFiles } from './generated-files.ts';

/** `npm run grafana`: writes grafana/generated anew. */
const folder = join(import.meta.dirname, '../generated');
rmSync(folder, { recursive: true, force: true });
for (const [path, text] of Object.entries(generatedFiles)) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
