import type { AmqplibSpec } from './amqplib.ts';
import type { JobSystem } from './system.ts';
import type { WarrenSpec } from './warren.ts';

/** What needs nothing but this repository's own packages. */
export type SystemSpec = WarrenSpec | AmqplibSpec;

/** Makes a system from plain data, in a process of its own: loads that one alone. */
export async function makeSystem(spec: SystemSpec): Promise<JobSystem> {
  if (spec.kind === 'warren') return new (await import('./warren.ts')).WarrenSystem(spec);
  return new (await import('./amqplib.ts')).AmqplibSystem(spec);
}
