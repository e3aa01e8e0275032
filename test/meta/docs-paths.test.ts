import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const exists = (path: string) => path.startsWith(WRITTEN) || existsSync(join(ROOT, path));

/** A path from the root of the repository: it begins with one of these folders. */
const PATH = /(?<![\w./<>*-])(?:libs|services|test|bench|demo|scripts|docs|deploy)\/[\w./-]+/g;
/** Written by a command and not kept. */
const WRITTEN = 'bench/results/';
const LINK = /\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g;

function markdownFiles(): string[] {
  const below = (folder: string) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
      .map((path) => join(folder, path));
  return ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...below('docs'), ...below('services')];
}

/** Every file and folder of the repository that a text names, as it names them. */
function namedPaths(text: string): string[] {
  const paths = [...text.matchAll(PATH)].map(([path]) => path.replace(/[./]+$/, ''));
  return [...new Set(paths)];
}

const linkedPaths = (file: string, text: string) =>
  [...text.matchAll(LINK)].map(([, target = '']) => join(dirname(file), target));

describe.each(markdownFiles())('%s', (file) => {
  const text = readFileSync(join(ROOT, file), 'utf8');

  it('names only files that exist', () => {
    expect(namedPaths(text).filter((path) => !exists(path))).toEqual([]);
  });

  it('links only to files that exist', () => {
    expect(linkedPaths(file, text).filter((path) => !exists(path))).toEqual([]);
  });
});

describe('the search for paths', () => {
  it('finds them in prose, code and links, and leaves patterns alone', () => {
    const text = 'See `libs/a/src/b.ts`, [c](docs/c.md). Not `services/*/src/x.ts`, `apps/test/x`.';
    expect(namedPaths(text)).toEqual(['libs/a/src/b.ts', 'docs/c.md']);
    expect(linkedPaths('docs/x.md', '[a](a.md#top) [b](../b.md) [c](https://c/d.md)')).toEqual([
      'docs/a.md',
      'b.md',
    ]);
  });
});
