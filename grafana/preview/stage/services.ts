import { join } from 'node:path';
import { freePorts } from '@warren/local-broker';
import { Part } from '../../../test/support/part.ts';

const NAMES = ['gateway', 'email', 'documents', 'webhook', 'payment', 'tracker'] as const;
export type ServiceName = (typeof NAMES)[number];

/** Every service as a process of its own, as in production. */
export interface Services {
  readonly parts: Readonly<Record<ServiceName, Part>>;
  readonly gatewayUrl: string;
  readonly mailboxUrl: string;
  /** Where each serves `/metrics`. */
  readonly opsPorts: Readonly<Record<ServiceName, number>>;
}

/** What all have in common, and where the outside is. */
interface Surroundings {
  readonly brokerUrl: string;
  readonly databaseUrl: string;
  readonly outsideUrl: string;
  /** For their logs and files. */
  readonly folder: string;
}

/** Starts all, and resolves when all are ready. */
export async function startServices(surroundings: Surroundings): Promise<Services> {
  const [gatewayPort = 0, mailboxPort = 0, ...free] = await freePorts(2 + NAMES.length);
  const opsPorts = byName((name) => free[NAMES.indexOf(name)] ?? 0);
  const own = ownSettings(surroundings, gatewayPort, mailboxPort);
  const parts = byName((name) => partOf(name, surroundings, opsPorts[name], own[name]));
  for (const part of Object.values(parts)) part.start();
  await Promise.all(Object.values(parts).map((part) => part.whenReady()));
  return {
    parts,
    gatewayUrl: `http://127.0.0.1:${gatewayPort}`,
    mailboxUrl: `http://127.0.0.1:${mailboxPort}`,
    opsPorts,
  };
}

const byName = <Value>(of: (name: ServiceName) => Value): Record<ServiceName, Value> =>
  Object.fromEntries(NAMES.map((name) => [name, of(name)])) as Record<ServiceName, Value>;

function ownSettings(
  { outsideUrl, folder }: Surroundings,
  gatewayPort: number,
  mailboxPort: number,
): Record<ServiceName, Record<string, string>> {
  return {
    gateway: { PORT: String(gatewayPort) },
    email: { MAILBOX_PORT: String(mailboxPort) },
    documents: { WARREN_DATA_DIR: folder, DOCUMENT_ALLOW_PRIVATE: 'true' },
    webhook: {
      WEBHOOK_SECRETS: `default=whsec_${Buffer.alloc(32, 'preview').toString('base64')}`,
      WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
      WEBHOOK_ALLOW_HTTP: 'true',
    },
    payment: { PAYMENT_PROVIDER_URL: outsideUrl, PAYMENT_PROVIDER_KEY: 'preview' },
    tracker: {},
  };
}

function partOf(
  name: ServiceName,
  { brokerUrl, databaseUrl, folder }: Surroundings,
  opsPort: number,
  own: Readonly<Record<string, string>>,
): Part {
  return new Part({
    name,
    program: `services/${name}/src/main.ts`,
    env: {
      AMQP_URL: brokerUrl,
      DATABASE_URL: databaseUrl,
      OPS_PORT: String(opsPort),
      LOG_LEVEL: 'warn',
      ...own,
    },
    logFile: join(folder, `${name}.log`),
    isReady: async () => (await fetch(`http://127.0.0.1:${opsPort}/readyz`)).ok,
  });
}
