import { join } from 'node:path';
import { isPortFree } from './free-ports.ts';
import { installedServer } from './installed-server.ts';
import { managementPort } from './management-page.ts';
import type { ObtainContext, ObtainedBroker } from './obtained-broker.ts';
import type { PrivateNodeOptions } from './private-node.ts';
import { startPrivateNode } from './start-private-node.ts';

const DEFAULT_DATA_DIR = '.warren';
const PLUGINS = ['rabbitmq_management'];

/** A node of our own, when a RabbitMQ server is installed. */
export async function privateBroker(context: ObtainContext): Promise<ObtainedBroker | undefined> {
  const server = installedServer('/', context.env['PATH']);
  if (!server) return undefined;
  context.log(`Starting a private RabbitMQ ${server.version ?? 'node'}`);
  const node = await startPrivateNode({
    root: '/',
    plugins: PLUGINS,
    ...(context.keepData && (await keptPlace(context))),
  });
  return {
    url: node.url,
    origin: 'private node',
    consoleUrl: `http://127.0.0.1:${node.managementPort}`,
    stop: () => node.stop(),
  };
}

/** The data of the last time and, while they are free, the usual ports, so that other commands find it. */
async function keptPlace({ env, localBroker, log }: ObtainContext): Promise<PrivateNodeOptions> {
  const amqpPort = localBroker.port;
  const consolePort = managementPort(amqpPort);
  const isFree = await isPortFree(amqpPort);
  if (!isFree)
    log(`Port ${amqpPort} is taken by something that is no RabbitMQ: this one listens on another`);
  return {
    dataDir: join(env['WARREN_DATA_DIR'] || DEFAULT_DATA_DIR, 'rabbitmq'),
    ...(isFree && { amqpPort }),
    ...((await isPortFree(consolePort)) && { managementPort: consolePort }),
  };
}
