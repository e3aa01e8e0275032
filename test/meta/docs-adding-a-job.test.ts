import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './compose-file.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const page = read('docs/adding-a-job.md');
const [, makeItKnown = ''] = /^## 3\. .*?\n(.*?)^## /ms.exec(page) ?? [];

/** Files that the checklist names, but for what the new service itself brings. */
const named = [
  ...new Set([...makeItKnown.matchAll(/`([\w.][\w./-]*\.[a-z]+)`/g)].map(([, path = '']) => path)),
].filter((path) => path !== 'package-lock.json');

/** A service that is there, by a word that stands for nothing else. */
const SERVICE = 'payment';
/** Where services are listed by name. */
const PLACES = ['docker-compose.yml', '.env.example', 'deploy', 'scripts', 'services/local'];

function filesBelow(path: string): string[] {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
    .map((name) => join(path, name))
    .filter((one) => !/node_modules|\/generated\//.test(one))
    .filter((one) => !one.endsWith('.test.ts') && statSync(join(ROOT, one)).isFile());
}

describe('what docs/adding-a-job.md has to be done for a new service', () => {
  it('names some files', () => {
    expect(named.length).toBeGreaterThan(10);
  });

  it.each(named)('%s is there, and knows the services that there are', (path) => {
    expect(existsSync(join(ROOT, path))).toBe(true);
    if (path !== 'deploy/make-env.sh') expect(read(path).toLowerCase()).toContain(SERVICE);
  });

  const listing = PLACES.flatMap(filesBelow).filter((path) =>
    read(path).toLowerCase().includes(SERVICE),
  );
  it.each(listing)('leaves %s not out', (path) => {
    expect([...named, 'deploy/make-env.sh']).toContain(path);
  });
});
