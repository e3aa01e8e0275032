import { readFileSync } from 'node:fs';
import type { ConfigOf } from './setting.ts';
import type { brokerSettings } from './shared-settings.ts';

/** How to reach the broker; what `connection` is to clients and workers. */
export interface BrokerConnection {
  readonly urls: readonly string[];
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly vhost: string | undefined;
  readonly heartbeatSeconds: number;
  /** Contents of the PEM files, where any TLS setting is given. */
  readonly tls?: Readonly<Record<'ca' | 'cert' | 'key' | 'servername', string | undefined>>;
}

/** How to reach the broker, as the environment says; certificates are read from their files here. */
export function brokerConnection(config: ConfigOf<typeof brokerSettings>): BrokerConnection {
  const tls = {
    ca: contentOf(config.AMQP_CA_FILE),
    cert: contentOf(config.AMQP_CERT_FILE),
    key: contentOf(config.AMQP_KEY_FILE),
    servername: config.AMQP_SERVERNAME,
  };
  return {
    urls: config.AMQP_URL,
    username: config.AMQP_USERNAME,
    password: config.AMQP_PASSWORD,
    vhost: config.AMQP_VHOST,
    heartbeatSeconds: config.AMQP_HEARTBEAT_SECONDS,
    ...(Object.values(tls).some((value) => value !== undefined) && { tls }),
  };
}

function contentOf(file: string | undefined): string | undefined {
  return file === undefined ? undefined : readFileSync(file, 'utf8');
}
