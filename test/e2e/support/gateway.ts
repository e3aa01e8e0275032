import { AmqpAdmin, eventually, newNamespace } from '@warren/testing';
import { createNames, type Names } from '@warren/topology';
import { forgetNamespace } from './local-product.ts';
import { GATEWAY, Program } from './program.ts';

/** The gateway alone, as a process: nobody consumes, so that its queue shows what it has published. */
export interface GatewayProcess {
  readonly program: Program;
  readonly url: string;
  readonly names: Names;
  /** The work queue of e-mail jobs. */
  readonly queue: string;
  /** Stops it and deletes its namespace at the broker. */
  dispose(): Promise<void>;
}

/** How long a request may wait for the broker's confirm. */
export const PUBLISH_TIMEOUT_MS = 3_000;

/** Resolves when the gateway can accept jobs; in the namespace that `env` names, or one of its own. */
export async function startGateway(
  brokerUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<GatewayProcess> {
  const namespace = env['WARREN_NAMESPACE'] ?? newNamespace();
  const program = new Program(GATEWAY, {
    PORT: '0',
    AMQP_URL: brokerUrl,
    WARREN_NAMESPACE: namespace,
    PUBLISH_TIMEOUT_SECONDS: String(PUBLISH_TIMEOUT_MS / 1_000),
    ...env,
  });
  const url = await readyUrl(program).catch(async (error) => {
    await program.stop('SIGKILL');
    throw error;
  });
  const names = createNames(namespace);
  return {
    program,
    url,
    names,
    queue: names.workQueue('email.send'),
    dispose: async () => {
      await program.stop();
      await forgetNamespace(brokerUrl, namespace);
    },
  };
}

async function readyUrl(program: Program): Promise<string> {
  const line = await program.line(/accepting jobs over HTTP/);
  const { url } = JSON.parse(line) as { url: string };
  await eventually('the gateway is ready', async () => (await fetch(`${url}/readyz`)).ok);
  return url;
}

/** Takes everything out of a queue and yields the ids of the jobs. */
export async function takeIds(brokerUrl: string, queue: string): Promise<Set<string>> {
  const admin = await AmqpAdmin.connect(brokerUrl);
  try {
    return new Set((await admin.take(queue)).map(({ properties }) => String(properties.messageId)));
  } finally {
    await admin.close();
  }
}
