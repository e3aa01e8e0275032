import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

/**
 * What of package-lock.json is not installed, as paths. Compares with npm's own note of what it installed.
 * Optional packages may be missing: most of them are for other machines.
 */
export function staleDependencies(root = ROOT) {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  return Object.keys(wanted).filter((path) => {
    if (!path.includes('node_modules/')) return false;
    const found = installed[path];
    if (!found) return !wanted[path].optional;
    return found.version !== wanted[path].version;
  });
}

function readPackages(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {};
}

/** Runs `npm ci` when node_modules is missing or does not match package-lock.json. */
export function ensureDependencies(root = ROOT) {
  if (staleDependencies(root).length === 0) return;
  console.log('Installing dependencies (npm ci)');
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund'];
  const { status, stdout, stderr, error } = spawnSync('npm', args, { cwd: root, encoding: 'utf8' });
  if (status === 0) return;
  console.error(error?.message ?? `${stdout}${stderr}`.trim());
  console.error('npm ci failed.');
  process.exit(1);
}
