import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kubernetesFiles } from './index.ts';

/** `npm run k8s`: writes deploy/k8s/generated anew. */
const folder = join(import.meta.dirname, '../generated');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [path, text] of Object.entries(kubernetesFiles)) writeFileSync(join(folder, path), text);
