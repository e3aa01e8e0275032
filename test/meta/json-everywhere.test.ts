import { cliDoc } from '@warren/admin';
import { expect, it } from 'vitest';

/** What prints no result of its own, or only one that programs read as it is. */
const WITHOUT = new Set([
  'warren',
  // A script.
  'warren completion',
  // Lines of JSON.
  'warren dead export',
]);

const helps = [...cliDoc().matchAll(/^## `(?<name>[^`]+)`\n\n```text\n(?<help>.*?)^```/gms)].map(
  ({ groups }) => ({ name: groups?.['name'] ?? '', help: groups?.['help'] ?? '' }),
);

it('finds the commands', () => {
  expect(helps.length).toBeGreaterThan(30);
  for (const name of WITHOUT) expect(helps.map((one) => one.name)).toContain(name);
});

it.each(helps.filter(({ name }) => !WITHOUT.has(name)))(
  '$name prints its result as JSON, too',
  ({ help }) => {
    expect(help).toMatch(/^ +--json +print /m);
  },
);
