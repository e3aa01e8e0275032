import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENT = 'docs/configuration.md';
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Its path is no literal: a script has no types. */
const generator = join(ROOT, 'scripts/lib/documents.mjs');
const { documents } = (await import(generator)) as { documents: Readonly<Record<string, string>> };

const serviceSettings = readdirSync(join(ROOT, 'services'))
  .map((name) => `services/${name}/src/config.ts`)
  .filter((path) => existsSync(join(ROOT, path)));

describe(DOCUMENT, () => {
  it('agrees with the settings of the services', () => {
    const isCurrent = read(DOCUMENT) === documents[DOCUMENT];
    expect(isCurrent, `${DOCUMENT} is stale: run \`npm run docs\``).toBe(true);
  });

  it('has every setting, each under its name', () => {
    const sources = [
      'libs/runtime/src/shared-settings.ts',
      'libs/runtime/src/tracing/tracing-settings.ts',
      'libs/runtime/src/metering/metering-settings.ts',
      ...serviceSettings,
    ];
    const names = sources.flatMap((source) =>
      [...read(source).matchAll(/^ {2}([A-Z][A-Z_]+): setting\(/gm)].map(([, name]) => name),
    );
    expect(names).toEqual(expect.arrayContaining(['AMQP_URL', 'PORT', 'SMTP_URL', 'LOG_LEVEL']));
    const document = read(DOCUMENT);
    expect(names.filter((name) => !document.includes(`| \`${name}\` |`))).toEqual([]);
  });
});
