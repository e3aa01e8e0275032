import {
  ConfigInvalidError,
  type ControlSnapshot,
  checkBreakerName,
  checkLimitRate,
  checkQueueCounts,
  type LimitRate,
  type QueueCounts,
} from '@warren/contracts';

/** What becomes of the newest state; undefined where it is so already. Pure. */
export type ControlEdit = (newest: ControlSnapshot) => ControlSnapshot | undefined;

/** Everything that is set travels in each message, to every worker. */
const MAX_SET = 1_000;

/** Has nobody take the jobs of a queue, or has them taken again. */
export function pausing(queue: string, isPaused: boolean): ControlEdit {
  return (newest) => {
    const paused = new Set(newest.pausedQueues);
    if (paused.has(queue) === isPaused) return undefined;
    if (isPaused) paused.add(queue);
    else paused.delete(queue);
    return { ...newest, pausedQueues: [...paused].sort() };
  };
}

/**
 * Sets how many of a queue run at once and are fetched; undefined takes both back.
 * @throws ConfigInvalidError naming the field
 */
export function counting(queue: string, counts: QueueCounts | undefined): ControlEdit {
  const checked = counts && checkQueueCounts(counts);
  return (newest) => {
    const concurrency = changed(newest.concurrency ?? {}, queue, checked);
    return concurrency && { ...newest, concurrency };
  };
}

/**
 * Holds a breaker open or closed; undefined lets it go.
 * @throws ConfigInvalidError naming `breaker`
 */
export function holding(breaker: string, state: 'open' | 'closed' | undefined): ControlEdit {
  checkBreakerName(breaker);
  return (newest) => {
    const breakers = changed(newest.breakers ?? {}, breaker, state);
    return breakers && { ...newest, breakers };
  };
}

/**
 * Sets the rate of a limit, for all its keys; undefined takes it back.
 * @throws ConfigInvalidError naming the field
 */
export function limiting(limit: string, rate: LimitRate | undefined): ControlEdit {
  const checked = rate && checkLimitRate(rate);
  return (newest) => {
    const limits = changed(newest.limits ?? {}, limit, checked);
    return limits && { ...newest, limits };
  };
}

function changed<Value>(
  all: Readonly<Record<string, Value>>,
  name: string,
  value: Value | undefined,
): Record<string, Value> | undefined {
  const before = Object.hasOwn(all, name) ? all[name] : undefined;
  if (JSON.stringify(before) === JSON.stringify(value)) return undefined;
  const { [name]: _before, ...others } = all;
  if (value === undefined) return others;
  if (Object.keys(others).length >= MAX_SET) {
    throw new ConfigInvalidError(name, `${MAX_SET} others are set already: take some back first`);
  }
  return { ...others, [name]: value };
}
