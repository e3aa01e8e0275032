import { useLargerPools } from '../as-services-run.ts';
import { countTo } from '../measure/workload.ts';
import { payloadOf } from '../payload.ts';
import { type Recording, startRecording } from '../profile/recorder.ts';
import { type JobSystem, payloadsOf } from '../systems/system.ts';
import type { FromPart, PartOrder, ToPart } from './messages.ts';

/** The whole life of a publisher or worker in a process of its own, started by `startPart`. */
export async function runPart<Spec>(make: (spec: Spec) => Promise<JobSystem>): Promise<void> {
  useLargerPools();
  const order = JSON.parse(process.argv[2] ?? '{}') as PartOrder;
  const system = await make(order.spec as Spec);
  // Whoever started it is gone.
  process.once('disconnect', () => process.exit(1));
  await (order.role === 'worker' ? work(system, order) : publish(system, order));
  // Not every client lets go of its sockets and timers when it is closed.
  process.exit();
}

async function work(
  system: JobSystem,
  { count, warmUp, concurrency, handlerMs, record }: PartOrder,
): Promise<void> {
  const [warm, counter] = [countTo(warmUp), countTo(warmUp + count)];
  const onJob = () => {
    if (handlerMs !== undefined) spin(handlerMs);
    warm.count();
    counter.count();
  };
  const worker = await system.worker(onJob, concurrency);
  tell({ kind: 'ready' });
  if (warmUp > 0) await warm.reached;
  const meter = await startMeter(record);
  tell({ kind: 'warm' });
  await counter.reached;
  tell(await meter.done());
  await heard('stop');
  await worker.stop();
}

function spin(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

async function publish(
  system: JobSystem,
  { count, warmUp, bytes, record }: PartOrder,
): Promise<void> {
  const publisher = await system.publisher();
  const payloadAt = payloadsOf(payloadOf(bytes));
  tell({ kind: 'ready' });
  await heard('go');
  await publisher.publishMany(warmUp, payloadAt);
  const meter = await startMeter(record);
  tell({ kind: 'warm' });
  await heard('go');
  await publisher.publishMany(count, payloadAt);
  tell(await meter.done());
  await heard('stop');
  await publisher.close();
}

async function startMeter(record: Recording | undefined) {
  const endRecording = record && (await startRecording(record));
  const before = process.cpuUsage();
  return {
    async done(): Promise<FromPart> {
      const { user, system } = process.cpuUsage(before);
      const rssMb = process.memoryUsage.rss() / 1_048_576;
      await endRecording?.();
      return { kind: 'done', cpuSeconds: (user + system) / 1_000_000, rssMb };
    },
  };
}

function tell(message: FromPart): void {
  process.send?.(message);
}

function heard(expected: ToPart): Promise<void> {
  return new Promise((resolve) => {
    const listen = (message: ToPart) => {
      if (message !== expected) return;
      process.off('message', listen);
      resolve();
    };
    process.on('message', listen);
  });
}
