import type { Broker } from '@warren/broker';
import { WorkerWatch } from '@warren/history';
import { WARREN_VERSION } from '@warren/runtime';
import { createLogger, createMetrics } from '@warren/telemetry';
import type { Names } from '@warren/topology';
import type { Admin } from '../open-session.ts';

/** Looks at what workers tell of themselves, and closes whatever happens. */
export async function watchWorkers<T>(
  { shell }: Admin,
  { broker, names }: { readonly broker: Broker; readonly names: Names },
  look: (watch: WorkerWatch) => Promise<T>,
): Promise<T> {
  const service = 'warren';
  const watch = new WorkerWatch({
    broker,
    stream: names.history,
    logger: createLogger({ service, level: 'warn', destination: { write: shell.err } }),
    metrics: createMetrics({ service, version: WARREN_VERSION, processMetrics: false }),
  });
  try {
    return await look(watch);
  } finally {
    await watch.close();
  }
}
