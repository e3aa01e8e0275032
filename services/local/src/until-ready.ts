import { setTimeout as pause } from 'node:timers/promises';
import type { Service } from '@warren/runtime';

const READY_EVERY_MS = 50;
const WORTH_SAYING_MS = 1_000;
/** The second: a store that is only made now, which takes some seconds. */
const NO_PROBLEMS = new Set(['ok', 'not asked yet']);

/** Waits for services; a broker or a store that stays away is not waited for in silence. */
export async function untilReady(
  services: readonly Service[],
  signal: AbortSignal,
  print: (text: string) => void,
): Promise<void> {
  let said = 'ok';
  let seen = { problem: 'ok', sinceMs: 0 };
  while (!services.every((service) => service.ready().ready)) {
    const problem = problemOf(services);
    if (problem !== seen.problem) seen = { problem, sinceMs: Date.now() };
    // What is over in a moment, as connecting is, needs no words.
    if (problem !== said && problem !== 'ok' && Date.now() - seen.sinceMs >= WORTH_SAYING_MS) {
      print(`Waiting for the ${problem}`);
      said = problem;
    }
    await pause(READY_EVERY_MS, undefined, { signal });
  }
}

/** The first one there is, of those that a person can do something about. */
export function problemOf(services: readonly Pick<Service, 'ready'>[]): string {
  for (const part of ['broker', 'store']) {
    const states = services.map((service) => service.ready().checks[part] ?? 'ok');
    const problem = states.find((state) => !NO_PROBLEMS.has(state));
    if (problem !== undefined) return `${part}: ${problem}`;
  }
  return 'ok';
}
