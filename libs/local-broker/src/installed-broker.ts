import { installServer, mayInstallPackages } from './debian-packages.ts';
import { localBroker } from './existing-broker.ts';
import type { ObtainContext, ObtainedBroker } from './obtained-broker.ts';
import { privateBroker } from './private-broker.ts';

const QUESTION = 'No RabbitMQ here. Install the package rabbitmq-server with apt-get?';

/** A broker from Debian's package, installed now if that is possible and wanted. */
export async function installedBroker(context: ObtainContext): Promise<ObtainedBroker | undefined> {
  if (!(await mayInstallPackages(context.env))) return undefined;
  if (context.ask && !(await context.ask(QUESTION))) return undefined;
  context.log('Installing rabbitmq-server with apt-get');
  await installServer();
  // Debian starts the service where services may start.
  return (await localBroker(context)) ?? (await privateBroker(context));
}
