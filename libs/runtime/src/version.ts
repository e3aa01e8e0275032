import { readFileSync } from 'node:fs';

const manifest: unknown = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);

/** Version of Warren; all its packages carry the same. */
export const WARREN_VERSION = String(Reflect.get(Object(manifest), 'version'));
