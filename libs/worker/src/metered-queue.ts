import { type QueueMeter, queueMeter } from '@warren/telemetry';
import { laneKey } from '@warren/topology';
import type { QueueWorkerOptions } from './queue-worker-options.ts';

/** OpenTelemetry's metrics of a queue; undefined where nobody collects them. */
export function meterOfQueue(
  { broker, registration, lane, metrics }: QueueWorkerOptions,
  queue: string,
): QueueMeter | undefined {
  const { names } = broker.topology;
  const { definition, subscription } = registration;
  const exchanges = new Set([names.jobs, names.events, names.due]);
  const keys = new Set([queue, laneKey(definition.type, lane?.name ?? 'normal')]);
  return queueMeter(metrics, {
    queue,
    isDeclaredExchange: (exchange) => exchanges.has(exchange),
    isDeclaredKey: (key) => keys.has(key) || subscription?.eventOf(key)?.type === key,
  });
}
