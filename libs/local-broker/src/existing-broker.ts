import { isRabbitListening } from './amqp-probe.ts';
import { findConsole, firstAddress } from './management-page.ts';
import { guestUrl, type ObtainContext, type ObtainedBroker } from './obtained-broker.ts';

const ANSWER_WITHIN_MS = 2000;

/** The broker that `AMQP_URL` names; whether it answers is left to those who connect. */
export async function namedBroker({ env }: ObtainContext): Promise<ObtainedBroker | undefined> {
  const url = env['AMQP_URL'];
  if (!url) return undefined;
  const address = firstAddress(url);
  if (!address)
    throw new Error('AMQP_URL must be an address such as amqp://user:password@host:5672');
  return { url, origin: 'AMQP_URL', ...(await findConsole(address)), stop: leaveAlone };
}

/** A broker that already listens on this machine. */
export async function localBroker(context: ObtainContext): Promise<ObtainedBroker | undefined> {
  const { localBroker: at } = context;
  if (!(await isRabbitListening(at.host, at.port, ANSWER_WITHIN_MS))) return undefined;
  return { url: guestUrl(at), origin: 'localhost', ...(await findConsole(at)), stop: leaveAlone };
}

async function leaveAlone(): Promise<void> {}
