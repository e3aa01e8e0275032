import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { enabledPlugins, type NodePorts, rabbitmqConf } from './node-config.ts';

/** Beside it lie logs of upgrades and of crashes. */
const OWN_LOG = /^warren\d*@localhost\.log$/;

/** Writes what a node reads at start into its data folder, which may hold an earlier node's data. */
export async function writeNodeFiles(
  dataDir: string,
  ports: NodePorts,
  plugins: readonly string[],
  extraConfig: string,
  cookie?: string,
): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  await Promise.all([
    mkdir(join(dataDir, 'log'), { recursive: true }),
    mkdir(join(dataDir, 'generated'), { recursive: true }),
    writeCookie(join(dataDir, '.erlang.cookie'), cookie),
    writeFile(join(dataDir, 'rabbitmq.conf'), rabbitmqConf(ports, plugins, extraConfig)),
    writeFile(join(dataDir, 'enabled_plugins'), enabledPlugins(plugins)),
    // Given so that files of the same names in /etc/rabbitmq are not read.
    writeFile(join(dataDir, 'advanced.config'), '[].\n'),
    writeFile(join(dataDir, 'rabbitmq-env.conf'), ''),
  ]);
}

/** The secret by which nodes, and their `rabbitmqctl`, know each other. */
export function newCookie(): string {
  return randomBytes(16).toString('hex');
}

/** Erlang refuses a cookie file that others may read. */
async function writeCookie(file: string, cookie = newCookie()): Promise<void> {
  if (existsSync(file)) return;
  await writeFile(file, cookie);
  await chmod(file, 0o400);
}

/** The last lines of the node's own log; empty when there is none. */
export async function readLogTail(dataDir: string, lines: number): Promise<string> {
  const folder = join(dataDir, 'log');
  const name = existsSync(folder) && (await readdir(folder)).find((one) => OWN_LOG.test(one));
  if (!name) return '';
  const log = join(folder, name);
  return (await readFile(log, 'utf8')).trimEnd().split('\n').slice(-lines).join('\n');
}
