import { readFileSync } from 'node:fs';
import { cliDoc } from '@warren/admin';
import { expect, test } from 'vitest';

test("docs/cli.md agrees with the command's own help", () => {
  const onDisk = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8');
  expect(onDisk === cliDoc(), 'docs/cli.md is stale: run `npm run docs`').toBe(true);
  const commands = [
    'topology apply',
    'dead list',
    'dead groups',
    'dead discard',
    'jobs logs',
    'health',
  ];
  for (const command of commands) {
    expect(onDisk).toContain(`## \`warren ${command}\``);
  }
});
