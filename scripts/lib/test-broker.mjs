import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { register } from 'tsx/esm/api';

register();
const { askOnTerminal, installPackages, mayInstallPackages, obtainBroker } = await import(
  '../../libs/local-broker/src/index.ts'
);
const { fetchPrograms } = await import('../../test/support/debian-programs.ts');
const { missingMonitoring } = await import('../../test/support/prometheus-tools.ts');

const PYTHON = '/usr/bin/python3';

/** A broker for the tests; one that is started for them forgets everything at the end. */
export function obtainTestBroker() {
  const { env } = process;
  return obtainBroker({ env, ask: askOnTerminal(), log: console.log, keepData: false });
}

/** Installs the Python client that one end-to-end test uses, where that may be done; else it is skipped. */
export async function ensurePythonClient() {
  if (!existsSync(PYTHON) || spawnSync(PYTHON, ['-c', 'import pika']).status === 0) return;
  if (!(await mayInstallPackages(process.env))) return;
  console.log('Installing python3-pika with apt-get');
  await installPackages(['python3-pika']).catch((error) => console.log(error.message));
}

/** Installs the shells that completion is tried in, where packages may be installed; else their tests are skipped. */
export async function ensureShells() {
  const missing = ['fish', 'zsh'].filter((name) => spawnSync(name, ['--version']).status !== 0);
  if (missing.length === 0 || !(await mayInstallPackages(process.env))) return;
  console.log(`Installing ${missing.join(' and ')} with apt-get`);
  await installPackages(missing).catch((error) => console.log(error.message));
}

/**
 * Gets Prometheus, promtool and Alertmanager out of Debian's packages, for the tests of alerts and dashboards, where
 * packages may be had; else those tests are skipped. Nothing is installed: the packages would start daemons.
 */
export async function ensureMonitoring() {
  const missing = missingMonitoring();
  if (missing.length === 0 || !(await mayInstallPackages(process.env))) return;
  for (const one of missing) {
    console.log(`Taking the programs out of Debian's package ${one.name} with apt-get download`);
    await fetchPrograms(one).catch((error) => console.log(error.message));
  }
}
