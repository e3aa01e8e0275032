import { BrokerSession } from '@warren/broker';
import type { KnownJobs } from '@warren/dead-letter';
import { brokerConnection, configWarnings, historyBounds, loadConfig } from '@warren/runtime';
import { buildTopology, type Topology } from '@warren/topology';
import { type AdminConfig, adminSettings } from './config.ts';
import type { AdminShell } from './shell.ts';

/** What the commands work with. */
export interface Admin {
  readonly config: AdminConfig;
  readonly topology: Topology;
  readonly known: KnownJobs;
  readonly shell: AdminShell;
}

/** Reads the configuration. @throws ConfigInvalidError */
export function readAdmin(shell: AdminShell): Admin {
  const config = loadConfig(adminSettings, shell.env);
  for (const warning of configWarnings(adminSettings, shell.env)) shell.err(`warren: ${warning}\n`);
  const topology = buildTopology({
    namespace: config.WARREN_NAMESPACE,
    jobTypes: shell.jobs,
    history: config.WARREN_HISTORY ? historyBounds(config) : undefined,
  });
  const known = { jobs: shell.jobs, names: topology.names };
  return { config, topology, known, shell };
}

/** Connects, does something, and closes whatever happens. @throws BrokerUnavailableError */
export async function withSession<T>(
  { config }: Admin,
  action: (session: BrokerSession) => Promise<T>,
): Promise<T> {
  const session = await BrokerSession.open({
    connection: brokerConnection(config),
    service: 'warren',
  });
  try {
    return await action(session);
  } finally {
    await session.close();
  }
}
