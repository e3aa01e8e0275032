import { setTimeout as pause } from 'node:timers/promises';
import type { PrivateNode } from '@warren/local-broker';

/** A fault lasts as long as its own call; how long is drawn from `random`. */
type Fault = (node: PrivateNode, between: Between) => Promise<void>;
type Between = (minMs: number, maxMs: number) => number;

const FAULTS = {
  'closed connections': async (node, between) => {
    const intervalMs = between(100, 400);
    const closer = await node.closeConnectionsEvery(intervalMs, Math.ceil(10_000 / intervalMs));
    await pause(between(500, 3_000));
    await closer.stop();
  },
  restart: (node) => node.restart('stop'),
  kill: (node) => node.restart('kill'),
  pause: async (node, between) => {
    const pausedMs = between(500, 8_000);
    try {
      await node.pause();
      await pause(pausedMs);
    } finally {
      node.resume();
    }
  },
  'memory alarm': async (node, between) => {
    await node.setMemoryAlarm(true);
    await pause(between(500, 4_000)).finally(() => node.setMemoryAlarm(false));
  },
} satisfies Record<string, Fault>;

/** Names of the faults, as the report counts them. */
export type FaultName = keyof typeof FAULTS;

const NAMES = Object.keys(FAULTS) as FaultName[];
const QUIET_MS = { min: 300, max: 2_500 };

/**
 * Makes one fault after the other, with pauses between, until `isOver`; the last one is healed first. The random numbers
 * alone decide on the order and on the lengths.
 */
export async function makeFaults(
  node: PrivateNode,
  random: () => number,
  isOver: () => boolean,
  onFault: (name: FaultName) => void,
): Promise<void> {
  const between: Between = (minMs, maxMs) => Math.round(minMs + random() * (maxMs - minMs));
  for (;;) {
    await pause(between(QUIET_MS.min, QUIET_MS.max));
    if (isOver()) return;
    const name = NAMES[Math.floor(random() * NAMES.length)] as FaultName;
    onFault(name);
    const fault: Fault = FAULTS[name];
    await fault(node, between);
  }
}
