import { dockerBroker } from './docker-broker.ts';
import { localBroker, namedBroker } from './existing-broker.ts';
import { InstallFailedError, installedBroker } from './installed-broker.ts';
import type { ObtainBrokerOptions, ObtainContext, ObtainedBroker } from './obtained-broker.ts';
import { privateBroker } from './private-broker.ts';

const IN_ORDER = [namedBroker, localBroker, privateBroker, dockerBroker, installedBroker];
const DEFAULT_ADDRESS = { host: '127.0.0.1', port: 5672 };

const ADVICE = `One of these helps:
  set AMQP_URL to the address of a broker, such as amqp://user:password@host:5672
  start a broker on this machine, port 5672
  install the package rabbitmq-server (as root on Debian this is done for you, unless WARREN_INSTALL=0)
  start Docker`;

/**
 * Finds a broker, or starts one: `AMQP_URL`, else one on localhost, else a private node of an installed
 * server, else a Docker container, else, as root on Debian, from the package that it installs after asking
 * (unasked without a terminal, never with `WARREN_INSTALL=0`). Throws an error that says what to do.
 */
export async function obtainBroker(options: ObtainBrokerOptions): Promise<ObtainedBroker> {
  const context: ObtainContext = { keepData: true, localBroker: DEFAULT_ADDRESS, ...options };
  for (const tryOrigin of IN_ORDER) {
    const broker = await tryOrigin(context).catch((error: unknown) => {
      throw error instanceof InstallFailedError ? new Error(noBrokerText(error.message)) : error;
    });
    if (broker) return broker;
  }
  throw new Error(noBrokerText());
}

/** What is to be said where there is no broker: what helps, and why the package could not be installed. */
export function noBrokerText(failure?: string): string {
  if (failure === undefined) return `no RabbitMQ found. ${ADVICE}`;
  return `no RabbitMQ found, and it could not be installed:\n${failure.replaceAll(/^/gm, '  ')}\n${ADVICE}`;
}
