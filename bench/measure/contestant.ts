import type { Contestant, Figures } from '../compare.ts';
import type { JobSystem } from '../systems/system.ts';

/** A system that does a work, as one side of a comparison. */
export function contestant<Load>(
  system: JobSystem,
  work: (system: JobSystem, load: Load) => Promise<Figures>,
  load: Load,
  name = system.name,
): Contestant {
  const notes = [system.durability, system.settings];
  return { name, notes, run: () => work(system, load) };
}
