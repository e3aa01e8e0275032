import { installServer, mayInstallPackages } from './debian-packages.ts';
import { localBroker } from './existing-broker.ts';
import type { ObtainContext, ObtainedBroker } from './obtained-broker.ts';
import { privateBroker } from './private-broker.ts';

const QUESTION = 'No RabbitMQ here. Install the package rabbitmq-server with apt-get?';

const NOT_THERE = 'apt-get says that rabbitmq-server is installed, and its programs are not found';

/** A broker from Debian's package, installed now if that is possible and wanted. */
export async function installedBroker(context: ObtainContext): Promise<ObtainedBroker | undefined> {
  if (!(await mayInstallPackages(context.env))) return undefined;
  if (context.ask && !(await context.ask(QUESTION))) return undefined;
  context.log('Installing rabbitmq-server with apt-get');
  await installServer().catch((error: Error) => {
    throw new InstallFailedError(error.message);
  });
  // Debian starts the service where services may start.
  const broker = (await localBroker(context)) ?? (await privateBroker(context));
  if (!broker) throw new InstallFailedError(NOT_THERE);
  return broker;
}

/** The package could not be installed; the message is what apt-get said last. */
export class InstallFailedError extends Error {}
