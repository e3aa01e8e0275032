import type { Delivery } from '@warren/broker';
import { LANES } from '@warren/contracts';
import { concurrencyOf } from './concurrency.ts';
import { DEFAULT_LANE_WEIGHTS } from './lane-schedule.ts';
import { LaneSlots } from './lane-slots.ts';
import { QueueWorker } from './queue-worker.ts';
import type { QueueWorkerOptions } from './queue-worker-options.ts';

/** Workers for all queues of one job type or subscriber: its own or its lanes, which share their slots, and its suspects. */
export function workersOf(options: Omit<QueueWorkerOptions, 'role' | 'lane'>): QueueWorker[] {
  const { registration } = options;
  const suspects = new QueueWorker({ ...options, role: 'suspect' });
  if (!registration.definition.lanes) {
    return [new QueueWorker({ ...options, role: 'work' }), suspects];
  }
  const weights = { ...DEFAULT_LANE_WEIGHTS, ...registration.options.laneWeights };
  const slots = new LaneSlots<Delivery>(concurrencyOf(registration), weights);
  const lanes = LANES.map(
    (name) => new QueueWorker({ ...options, role: 'work', lane: { name, slots } }),
  );
  return [...lanes, suspects];
}
