import { Broker } from '@warren/broker';
import { type HistoryEvent, HistoryReader } from '@warren/history';
import type { Topology } from '@warren/topology';
import { eventually } from './eventually.ts';
import { quietTelemetry } from './quiet-telemetry.ts';

/** What a history tells, from its beginning on. */
export interface SeenHistory {
  readonly events: readonly HistoryEvent[];
  /** Names of the workers whose heartbeats came. */
  readonly workers: ReadonlySet<string>;
  of(id: string): readonly HistoryEvent[];
  /** Kinds of a job's events, in the order of their coming, once the last is `kind`. */
  until(id: string, kind: HistoryEvent['kind']): Promise<readonly HistoryEvent[]>;
  close(): Promise<void>;
}

/** Reads the history of an installation. */
export function seeHistory(here: {
  readonly url: string;
  readonly topology: Topology;
}): SeenHistory {
  const { url, topology } = here;
  const broker = new Broker({ connection: { urls: [url] }, service: 'test', topology });
  const events: HistoryEvent[] = [];
  const workers = new Set<string>();
  const reader = new HistoryReader({
    broker,
    stream: topology.names.history,
    from: 'first',
    ...quietTelemetry(),
    async onBatch(batch) {
      events.push(...batch.events);
      for (const { worker } of batch.heartbeats) workers.add(worker);
    },
  });
  reader.start();
  const of = (id: string) => events.filter((event) => event.id === id);
  return {
    events,
    workers,
    of,
    async until(id, kind) {
      const isTold = () => of(id).some((event) => event.kind === kind);
      // Processes that were killed on the way take seconds to be there again.
      await eventually(`${kind} of ${id} is told`, isTold, 45_000);
      return of(id);
    },
    close: () => broker.close(),
  };
}
