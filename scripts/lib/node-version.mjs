import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

/** Whether `version` (`20.20.2`) is at least `minimum` (`20.19`). */
export function isAtLeast(version, minimum) {
  const [have, want] = [version, minimum].map((text) => text.split('.').map(Number));
  const at = want.findIndex((part, index) => part !== (have[index] ?? 0));
  return at < 0 || (have[at] ?? 0) > want[at];
}

/** Ends the process with a clear message when this Node is older than package.json allows. */
export function requireNodeVersion() {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const minimum = engines.node.replace('>=', '');
  if (isAtLeast(process.versions.node, minimum)) return;
  console.error(`Warren needs Node ${minimum} or newer; this is ${process.versions.node}.`);
  process.exit(1);
}
