import type { BrokerAddress, ObtainedBroker } from './obtained-broker.ts';

const ANSWER_WITHIN_MS = 2000;
/** RabbitMQ's default ports: 5672 for AMQP, 15672 for the management page. */
const PORT_DISTANCE = 10_000;
const ENABLE_COMMAND = 'rabbitmq-plugins enable rabbitmq_management';

/** Says where the management page of a broker is, or how to enable it. Never throws. */
export async function findConsole(
  broker: BrokerAddress,
): Promise<Pick<ObtainedBroker, 'consoleUrl' | 'consoleHint'>> {
  const consoleUrl = `http://${broker.host}:${managementPort(broker.port)}`;
  return (await isManagementPage(consoleUrl)) ? { consoleUrl } : { consoleHint: ENABLE_COMMAND };
}

/** The port that belongs to an AMQP port by RabbitMQ's habit. */
export function managementPort(amqpPort: number): number {
  return amqpPort + PORT_DISTANCE;
}

async function isManagementPage(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    return (await answer.text()).includes('RabbitMQ Management');
  } catch {
    return false;
  }
}

/** The first host of a comma-separated list of AMQP addresses; `undefined` when it is no address. */
export function firstAddress(amqpUrl: string): BrokerAddress | undefined {
  const found = /^amqps?:\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^:/,?]+)(?::(\d+))?/.exec(amqpUrl.trim());
  const host = found?.[1];
  return host === undefined ? undefined : { host, port: Number(found?.[2] ?? 5672) };
}
