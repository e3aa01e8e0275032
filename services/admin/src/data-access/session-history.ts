import type { BrokerSession } from '@warren/broker';
import { QueueMissingError } from '@warren/contracts';
import { HistoryWriter } from '@warren/history';
import { WARREN_VERSION } from '@warren/runtime';
import { createLogger, createMetrics } from '@warren/telemetry';
import type { Admin } from '../open-session.ts';

/** Does something that is told to the history, where there is one; all is told when it resolves. */
export async function withHistory<T>(
  { config, topology, shell }: Admin,
  session: BrokerSession,
  action: (history: HistoryWriter | undefined) => Promise<T>,
): Promise<T> {
  const { names } = topology;
  if (!config.WARREN_HISTORY || !(await exists(session, names.history))) return action(undefined);
  const service = 'warren';
  const writer = new HistoryWriter({
    publisher: session.publisher,
    exchange: names.lifecycle,
    service,
    logger: createLogger({ service, level: 'warn', destination: { write: shell.err } }),
    metrics: createMetrics({ service, version: WARREN_VERSION, processMetrics: false }),
  });
  try {
    return await action(writer);
  } finally {
    await writer.close();
  }
}

/** Publishing to an exchange that is not there would end the channel of the jobs too. */
async function exists(session: BrokerSession, stream: string): Promise<boolean> {
  try {
    await session.depth(stream);
    return true;
  } catch (error) {
    if (error instanceof QueueMissingError) return false;
    throw error;
  }
}
