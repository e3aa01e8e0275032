import type { Delivery } from '@warren/broker';
import { LANES } from '@warren/contracts';
import { AdaptiveLevel } from './adaptive/adaptive-level.ts';
import { adaptiveOf, concurrencyOf } from './concurrency.ts';
import { DEFAULT_LANE_WEIGHTS } from './lane-schedule.ts';
import { LaneSlots } from './lane-slots.ts';
import { QueueWorker } from './queue-worker.ts';
import type { QueueWorkerOptions } from './queue-worker-options.ts';

type TypeOptions = Omit<QueueWorkerOptions, 'role' | 'lane' | 'adaptive'>;

/** Workers for all queues of one job type or subscriber: its own or its lanes, which share their slots, and its suspects. */
export function workersOf(options: TypeOptions): QueueWorker[] {
  const bounds = adaptiveOf(options.registration);
  const adaptive =
    bounds &&
    new AdaptiveLevel({
      bounds,
      onLevel: () => {
        for (const worker of work) worker.adapt();
      },
    });
  const work = workQueuesOf({ ...options, adaptive });
  const suspects = new QueueWorker({ ...options, role: 'suspect' });
  return [...work, suspects];
}

function workQueuesOf(
  options: TypeOptions & Pick<QueueWorkerOptions, 'adaptive'>,
): readonly QueueWorker[] {
  const { registration } = options;
  if (!registration.definition.lanes) return [new QueueWorker({ ...options, role: 'work' })];
  const weights = { ...DEFAULT_LANE_WEIGHTS, ...registration.options.laneWeights };
  const slots = new LaneSlots<Delivery>(concurrencyOf(registration), weights);
  return LANES.map((name) => new QueueWorker({ ...options, role: 'work', lane: { name, slots } }));
}
