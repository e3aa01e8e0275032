import { type HeldBack, holdsBack, NOTHING_HELD, unheardText } from './held-back.ts';
import type { QueueLine } from './queue-lines.ts';

/** One thing that was looked at. */
export interface HealthCheck {
  readonly name: string;
  /** What is wrong; undefined when all is well. */
  readonly problem?: string | undefined;
  /** What is to be said of it when all is well. */
  readonly detail?: string | undefined;
}

/** What is too many. */
export interface HealthBounds {
  readonly maxDead: number;
  readonly maxReady: number;
}

/** Jobs that may be taken now, as far as is known. */
export const waitingIn = ({ ready, expiredLeases = 0 }: QueueLine): number => ready + expiredLeases;

/** What is wrong with queues. Pure. */
export function checkQueues(
  lines: readonly QueueLine[],
  unroutable: number,
  { maxDead, maxReady }: HealthBounds,
  held: HeldBack = NOTHING_HELD,
): HealthCheck[] {
  const name = (found: readonly QueueLine[], say: (line: QueueLine) => string) =>
    found.length === 0 ? undefined : found.map(say).join(', ');
  const missing = lines.filter(({ exists }) => !exists);
  const waiting = lines.filter((line) => line.exists && waitingIn(line) > 0);
  const reasons = new Map(
    waiting.map((line) => {
      const isAlone = line.consumers === 0;
      return [line, holdsBack({ queue: line.queue, isAlone }, held)];
    }),
  );
  const heldBy = (by: 'operator' | 'circuit') =>
    waiting.flatMap((line) => (reasons.get(line)?.by === by ? [reasons.get(line)?.text] : []));
  const [circuits, paused] = [heldBy('circuit'), heldBy('operator')].map((texts) =>
    texts.length > 0 ? texts.join(', ') : undefined,
  );
  const alone = waiting.filter((line) => line.consumers === 0 && !reasons.get(line));
  const full = lines.filter(({ ready }) => ready > maxReady);
  const dead = lines.filter((line) => line.dead > maxDead);
  const total = lines.reduce((sum, line) => sum + line.dead, 0);
  return [
    {
      name: 'queues',
      problem: name(missing, ({ queue }) => `${queue} does not exist`),
      detail: `${lines.length}`,
    },
    {
      name: 'consumers',
      problem: name(
        alone,
        (line) =>
          `${waitingIn(line)} wait in ${line.queue} and nobody takes them${unheardText(held)}`,
      ),
      detail: paused,
    },
    { name: 'circuits', problem: circuits },
    { name: 'backlog', problem: name(full, ({ queue, ready }) => `${ready} in ${queue}`) },
    {
      name: 'dead letters',
      problem: name(dead, (line) => `${line.dead} of ${line.queue}`),
      detail: `${total}`,
    },
    { name: 'unroutable', problem: unroutable > 0 ? `${unroutable} messages` : undefined },
  ];
}
