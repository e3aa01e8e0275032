import { catalog } from '@warren/catalog';
import {
  deleteNamespace,
  dropStore,
  newNamespace,
  sharedBrokerUrl,
  sharedDatabaseUrl,
} from '@warren/testing';
import { LOCAL, Program } from './program.ts';

/** The whole product in one process on free ports, in a namespace of its own, as a person starts it. */
export interface LocalProduct {
  readonly program: Program;
  readonly brokerUrl: string;
  readonly namespace: string;
  readonly gatewayUrl: string;
  readonly mailboxUrl: string;
  /** The command that it proposes to try. */
  readonly curl: string;
  /** Stops it and deletes its namespace at the broker. */
  dispose(): Promise<void>;
}

/** Settings under which nothing collides with other tests. */
export const freeSettings = (): Record<string, string> => ({
  PORT: '0',
  MAILBOX_PORT: '0',
  PAYMENT_DEV_PORT: '0',
  WARREN_NAMESPACE: newNamespace(),
  AMQP_URL: sharedBrokerUrl(),
  DATABASE_URL: sharedDatabaseUrl(),
});

/** Resolves when it has printed its last line, the command to try. */
export async function startLocal(
  own: Readonly<Record<string, string>> = {},
  args: readonly string[] = LOCAL,
): Promise<LocalProduct> {
  const env = { ...freeSettings(), ...own };
  const { AMQP_URL: brokerUrl = '', WARREN_NAMESPACE: namespace = '' } = env;
  const program = new Program(args, env);
  return {
    program,
    brokerUrl,
    namespace,
    ...(await greetingOf(program)),
    dispose: async () => {
      await program.stop();
      await forgetNamespace(brokerUrl, namespace);
    },
  };
}

/** Deletes what an installation with the catalog's job types has declared, and its store. */
export async function forgetNamespace(brokerUrl: string, namespace: string): Promise<void> {
  const jobTypes = catalog.map(({ type }) => type);
  await deleteNamespace(brokerUrl, namespace, jobTypes);
  await dropStore(namespace);
}

/** What the product prints when it is ready. */
export async function greetingOf(program: Program) {
  const text = async (label: string) =>
    (await program.line(new RegExp(`^${label} `))).slice(label.length).trim();
  const curl = await text('Try').catch(async (error) => {
    await program.stop('SIGKILL');
    throw error;
  });
  return { gatewayUrl: await text('Gateway'), mailboxUrl: await text('Mailbox'), curl };
}
