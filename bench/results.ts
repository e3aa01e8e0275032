import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Report } from './report.ts';

/** Where a run leaves what it has shown. */
export const RESULTS = new URL('results/', import.meta.url);
const JSON_NAME = 'latest.json';

/** What the last run wrote; undefined where there was none. */
export function readResults(folder: URL): Report | undefined {
  const file = new URL(JSON_NAME, folder);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : undefined;
}

/** Writes a run as JSON and as a page; whoever ends meanwhile leaves the earlier one whole. */
export function writeResults(folder: URL, report: Report, page: string): void {
  mkdirSync(folder, { recursive: true });
  write(folder, JSON_NAME, `${JSON.stringify(report, null, 2)}\n`);
  write(folder, 'latest.md', `${page}\n`);
}

function write(folder: URL, name: string, text: string): void {
  const fresh = new URL(`${name}.new`, folder);
  writeFileSync(fresh, text);
  renameSync(fresh, new URL(name, folder));
}
