import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** An installed RabbitMQ server. */
export interface InstalledServer {
  /** The folder of `rabbitmq-server` and `rabbitmqctl`, as named inside the root. */
  readonly scriptsDir: string;
  /** As its folder name tells it, for example `3.10.8`. */
  readonly version: string | undefined;
}

/** Debian's own scripts. Those in its /usr/sbin are wrappers that insist on the user `rabbitmq`. */
const DEBIAN_SCRIPTS = '/usr/lib/rabbitmq/bin';
const DEBIAN_WRAPPER = 'rabbitmq-script-wrapper';

/**
 * The RabbitMQ server that is installed on this machine, or in another system's `root`; `undefined` when none is.
 * Looks in Debian's folder, then on `path` (default: PATH; not for another root).
 */
export function installedServer(
  root = '/',
  path: string = process.env['PATH'] ?? '',
): InstalledServer | undefined {
  const folders = [DEBIAN_SCRIPTS, ...(root === '/' ? path.split(delimiter) : [])];
  for (const scriptsDir of folders.filter(Boolean)) {
    const real = realScript(join(root, scriptsDir, 'rabbitmq-server'));
    if (real && !real.endsWith(DEBIAN_WRAPPER)) return { scriptsDir, version: versionOf(real) };
  }
  return undefined;
}

function realScript(script: string): string | undefined {
  return existsSync(script) ? realpathSync(script) : undefined;
}

/** `rabbitmq_server-3.10.8/sbin/…` in Debian and the generic archive, `rabbitmq/4.1.0/sbin/…` with Homebrew. */
export function versionOf(script: string): string | undefined {
  return /rabbitmq(?:_server-|\/)(\d+\.\d+\.\d+)\//.exec(script)?.[1];
}
