import type { Figures } from '../compare.ts';
import { type JobSystem, type OnJob, payloadsOf } from '../systems/system.ts';
import { countOf, countTo, onFreshQueue, perSecond, type Workload } from './workload.ts';

/** Jobs a second, published one after the other: each is safe before the next is sent. */
export function publishOneByOne(system: JobSystem, load: Workload): Promise<Figures> {
  return onFreshQueue(system, async (opening) => {
    const publisher = await opening.publisher();
    const [count, payloadAt] = [countOf(load, system), payloadsOf(load.payload)];
    await publisher.publish(payloadAt(0));
    const startedAt = performance.now();
    for (let index = 0; index < count; index += 1) await publisher.publish(payloadAt(index));
    const rate = perSecond(count, startedAt);
    await publisher.close();
    return { rate };
  });
}

/** Jobs a second, published many at once. */
export function publishMany(system: JobSystem, load: Workload): Promise<Figures> {
  return onFreshQueue(system, async (opening) => {
    const publisher = await opening.publisher();
    const [count, payloadAt] = [countOf(load, system), payloadsOf(load.payload)];
    await publisher.publish(payloadAt(0));
    const startedAt = performance.now();
    await publisher.publishMany(count, payloadAt);
    const rate = perSecond(count, startedAt);
    await publisher.close();
    return { rate };
  });
}

/** Jobs a second out of a full queue, from the first that is handled to the last: connecting is not what is compared. */
export function consume(system: JobSystem, load: Workload): Promise<Figures> {
  return onFreshQueue(system, async (opening) => {
    const count = countOf(load, system);
    const publisher = await opening.publisher();
    await publisher.publishMany(count, payloadsOf(load.payload));
    await publisher.close();
    const counter = countTo(count);
    const worker = await opening.worker(counter.count, load.concurrency);
    const { firstAt, lastAt } = await counter.reached;
    await worker.stop();
    return { rate: perSecond(count, firstAt, lastAt) };
  });
}

/** Jobs a second, published and handled at the same time in one process, until the last is handled. */
export function endToEnd(system: JobSystem, load: Workload): Promise<Figures> {
  return publishAndHandle(system, load, (count) => count);
}

/** As `endToEnd`, with every tenth job failing at its first attempt: until the last is handled well. */
export function endToEndFailing(system: JobSystem, load: Workload): Promise<Figures> {
  return publishAndHandle(system, load, (count) => ({ order, attempt }) => {
    if (attempt === 1 && order % 10 === 0) throw new Error('the first attempt of every tenth');
    count();
  });
}

/** @param handlerOf makes the handler, which counts each job that it handles well */
function publishAndHandle(
  system: JobSystem,
  load: Workload,
  handlerOf: (count: () => void) => OnJob,
): Promise<Figures> {
  return onFreshQueue(system, async (opening) => {
    const goal = countOf(load, system);
    const counter = countTo(goal);
    const worker = await opening.worker(handlerOf(counter.count), load.concurrency);
    const publisher = await opening.publisher();
    const startedAt = performance.now();
    const [{ lastAt }] = await Promise.all([
      counter.reached,
      publisher.publishMany(goal, payloadsOf(load.payload)),
    ]);
    await publisher.close();
    await worker.stop();
    return { rate: perSecond(goal, startedAt, lastAt) };
  });
}
