import { runCommand } from './run-command.ts';

const INSTALL_WITHIN_MS = 600_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether packages may and can be installed: root, apt-get there, and `WARREN_INSTALL` is not 0. */
export async function mayInstallPackages(
  env: Environment,
  userId: number | undefined = process.getuid?.(),
): Promise<boolean> {
  if (env['WARREN_INSTALL'] === '0' || userId !== 0) return false;
  return runCommand('apt-get', ['--version'], { timeoutMs: 10_000 }).then(
    () => true,
    () => false,
  );
}

/** Installs Debian packages. Rejects with what apt-get said. */
export async function installPackages(names: readonly string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const settings = { env, timeoutMs: INSTALL_WITHIN_MS };
  const patience = ['-o', 'DPkg::Lock::Timeout=120'];
  await runCommand('apt-get', [...patience, '-qq', 'update'], settings);
  const install = ['install', '--yes', '--no-install-recommends', ...names];
  await runCommand('apt-get', [...patience, '-qq', ...install], settings);
}

/** Installs Debian's RabbitMQ server, which may start it on localhost:5672. */
export async function installServer(): Promise<void> {
  await installPackages(['rabbitmq-server']);
}
