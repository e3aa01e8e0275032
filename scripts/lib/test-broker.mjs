import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { register } from 'tsx/esm/api';

register();
const { askOnTerminal, installPackages, mayInstallPackages, obtainBroker } = await import(
  '../../libs/local-broker/src/index.ts'
);
const { fetchPrometheusTools, prometheusTools } = await import(
  '../../test/support/prometheus-tools.ts'
);

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
 * Gets Prometheus and promtool out of Debian's package, for the tests of alerts and dashboards, where packages may be
 * had; else those tests are skipped. Nothing is installed: the package would start a daemon.
 */
export async function ensurePrometheus() {
  if (prometheusTools() || !(await mayInstallPackages(process.env))) return;
  console.log("Taking Prometheus out of Debian's package with apt-get download");
  await fetchPrometheusTools().catch((error) => console.log(error.message));
}
