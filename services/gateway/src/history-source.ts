import { Broker } from '@warren/broker';
import { HistoryReader } from '@warren/history';
import { brokerConnection, historyBounds } from '@warren/runtime';
import { type Logger, type Metrics, observeConnections } from '@warren/telemetry';
import { buildTopology, type Names } from '@warren/topology';
import type { GatewayConfig } from './config.ts';
import type { HistorySource } from './domain/live/history-readers.ts';

/** The gateway's view of the streams, on connections of its own: publishing jobs does not depend on them. */
export interface Streams {
  readonly broker: Broker;
  readonly names: Names;
  readonly source: HistorySource;
}

/** Connects by itself, now or later. */
export function openStreams(config: GatewayConfig, logger: Logger, metrics: Metrics): Streams {
  const topology = buildTopology({
    namespace: config.WARREN_NAMESPACE,
    jobTypes: [],
    history: historyBounds(config),
  });
  const broker = new Broker({
    connection: brokerConnection(config),
    service: 'gateway',
    topology,
    publisher: { maxWaitMs: 0 },
    events: observeConnections(logger, metrics),
  });
  const source: HistorySource = {
    open(from, onBatch, onGap) {
      const reader = new HistoryReader({
        broker,
        stream: topology.names.history,
        from,
        logger,
        metrics,
        onBatch: async (batch) => onBatch(batch),
        ...(onGap && { onGap }),
      });
      reader.start();
      return reader;
    },
  };
  return { broker, names: topology.names, source };
}
