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

/** What of a failure is shown: the end, where apt-get says what it comes to. */
const LAST_LINES = 6;

/** Installs Debian packages. Rejects with the last lines that apt-get said, those of a failed update too. */
export async function installPackages(names: readonly string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const settings = { env, timeoutMs: INSTALL_WITHIN_MS };
  const patience = ['-o', 'DPkg::Lock::Timeout=120'];
  const failures: string[] = [];
  const run = (args: readonly string[]) =>
    runCommand('apt-get', [...patience, '-qq', ...args], settings).catch((error: Error) => {
      failures.push(...error.message.split('\n').filter((line) => line.trim() !== ''));
      throw error;
    });
  // Without a network apt-get is content with an old list, unless it is told otherwise; one source of several may fail.
  await run(['-o', 'APT::Update::Error-Mode=any', 'update']).catch(() => {});
  const install = ['install', '--yes', '--no-install-recommends', ...names];
  await run(install).catch((error: Error) => {
    throw new Error(failures.slice(-LAST_LINES).join('\n'), { cause: error });
  });
}

/** Installs Debian's RabbitMQ server, which may start it on localhost:5672. */
export async function installServer(): Promise<void> {
  await installPackages(['rabbitmq-server']);
}
