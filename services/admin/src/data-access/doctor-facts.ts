import { type BrokerSession, credentialsOf } from '@warren/broker';
import { brokerConnection } from '@warren/runtime';
import type { Topology } from '@warren/topology';
import { compareBindings } from '../domain/compare-bindings.ts';
import { takenQueues } from '../domain/doctor/broker-checks.ts';
import type { BrokerFacts, DoctorFacts, ManagementFacts } from '../domain/doctor/facts.ts';
import type { Seen } from '../domain/doctor/finding.ts';
import { NOTHING_HELD } from '../domain/held-back.ts';
import type { Admin } from '../open-session.ts';
import { heldBack } from './held-back.ts';
import { createManagement } from './management.ts';
import { managementAccess } from './management-access.ts';
import { managementFacts, unseenFacts } from './management-facts.ts';

type BrokerFigures = Extract<BrokerFacts['figures'], { readonly value: unknown }>['value'];

const NO_URL = 'WARREN_MANAGEMENT_URL is not set, and AMQP does not tell';

/** Looks at everything and changes nothing. What cannot be seen says why. @throws BrokerUnavailableError when the connection is lost */
export async function doctorFacts(admin: Admin, session: BrokerSession): Promise<DoctorFacts> {
  const broker = await brokerFacts(admin, session);
  return { ...broker, ...(await managementPart(admin)) };
}

async function brokerFacts(admin: Admin, session: BrokerSession): Promise<BrokerFacts> {
  const { topology, config, shell } = admin;
  const connection = brokerConnection(config);
  const { username, vhost } = credentialsOf(connection);
  const names = topology.queues.map(({ name }) => name);
  const differences = await seenOver(session, () => session.compare(topology));
  const figures = await seenOver(session, () => session.figures(names));
  return {
    topology,
    jobs: shell.jobs,
    version: session.serverVersion,
    username,
    vhost,
    hosts: connection.urls.map((url) => {
      const { hostname, protocol } = new URL(url.trim());
      return { hostname: hostname.replace(/^\[|\]$/g, ''), isTls: protocol === 'amqps:' };
    }),
    blockedReason: session.blockedReason,
    differences,
    figures,
    held:
      'value' in figures && isWaiting(topology, figures.value)
        ? await heldBack(admin)
        : NOTHING_HELD,
  };
}

function isWaiting({ queues }: Topology, figures: BrokerFigures): boolean {
  return takenQueues(queues).some(({ name }) => (figures.get(name)?.ready ?? 0) > 0);
}

/** What the broker refuses this user is not seen; a connection that is lost ends it all. */
async function seenOver<T>(session: BrokerSession, look: () => Promise<T>): Promise<Seen<T>> {
  try {
    return { value: await look() };
  } catch (error) {
    session.lost.throwIfAborted();
    return { unseen: (error as Error).message };
  }
}

async function managementPart({ config, topology }: Admin): Promise<ManagementFacts> {
  const url = config.WARREN_MANAGEMENT_URL;
  if (url === undefined) return { ...unseenFacts(NO_URL), bindings: { unseen: NO_URL } };
  const connection = brokerConnection(config);
  const own = new Set(topology.queues.map(({ name }) => name));
  const { username } = credentialsOf(connection);
  const access = managementAccess(url, connection);
  const answers = await managementFacts(access, username, (queue) => own.has(queue));
  if ('unseen' in answers.tags) return { ...answers, bindings: answers.tags };
  const bindings = await compareBindings(topology, createManagement(url, connection)).then(
    (value) => ({ value }),
    (error: Error) => ({ unseen: error.message }),
  );
  return { ...answers, bindings };
}
