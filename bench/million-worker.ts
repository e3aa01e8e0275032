import { startPart } from './apart/start-part.ts';
import { useLargerPools } from './as-services-run.ts';
import { MillionSamples, SAMPLES } from './measure/million-samples.ts';
import { millionOptions } from './million-options.ts';
import { payload } from './payload.ts';
import { warren } from './systems/own-systems.ts';

/**
 * Handles a million jobs in this process, with the history on, while another publishes them, and watches the memory of this
 * one. Ends with 1 when the heap, after a collection, goes on growing after the first fifth. Who publishes waits for nothing:
 * what the worker has not taken yet waits at the broker.
 */
const CONCURRENCY = 10;

const { count, url } = millionOptions({
  name: 'bench:million-worker',
  does: 'Handles a million jobs that another process publishes, and watches memory: ends with 1 when the heap goes on growing.',
  least: SAMPLES,
});

useLargerPools();
const system = warren(url, 'benchmillionworker', { history: true });
await system.prepare();
const bytes = JSON.stringify(payload).length;
const publisher = await startPart(system.source, {
  role: 'publisher',
  count,
  warmUp: 0,
  concurrency: CONCURRENCY,
  bytes,
});
const samples = new MillionSamples();
let handled = 0;
let onAll: () => void = () => {};
const all = new Promise<void>((resolve) => {
  onAll = resolve;
});
const worker = await system.worker(() => {
  handled += 1;
  if (handled % Math.ceil(count / SAMPLES) === 0) samples.take(handled);
  if (handled === count) onAll();
}, CONCURRENCY);
try {
  publisher.go();
  await publisher.warm;
  publisher.go();
  await Promise.all([all, publisher.done]);
  await Promise.all([worker.stop(), publisher.stop()]);
} finally {
  publisher.kill();
  await system.dispose();
}
process.stdout.write(`${JSON.stringify({ count, handled, heapGrowthMb: samples.heapGrowthMb })}\n`);
if (!samples.isFlat) process.exitCode = 1;
