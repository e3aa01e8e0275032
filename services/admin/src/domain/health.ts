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

/** What is wrong with queues. Pure. */
export function checkQueues(
  lines: readonly QueueLine[],
  unroutable: number,
  { maxDead, maxReady }: HealthBounds,
): HealthCheck[] {
  const name = (found: readonly QueueLine[], say: (line: QueueLine) => string) =>
    found.length === 0 ? undefined : found.map(say).join(', ');
  const missing = lines.filter(({ exists }) => !exists);
  const waitingIn = ({ ready, expiredLeases = 0 }: QueueLine) => ready + expiredLeases;
  const alone = lines.filter((line) => line.exists && waitingIn(line) > 0 && line.consumers === 0);
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
        (line) => `${waitingIn(line)} wait in ${line.queue} and nobody takes them`,
      ),
    },
    { name: 'backlog', problem: name(full, ({ queue, ready }) => `${ready} in ${queue}`) },
    {
      name: 'dead letters',
      problem: name(dead, (line) => `${line.dead} of ${line.queue}`),
      detail: `${total}`,
    },
    { name: 'unroutable', problem: unroutable > 0 ? `${unroutable} messages` : undefined },
  ];
}
