import { Bench } from 'tinybench';
import { reference } from './reference.ts';

const SAMPLE_MS = 30;
const WARM_UP_MS = 20;
const REPEATS = 5;
const REFERENCE_CALLS = 20;
/** A sample takes about so long: the clock's own cost does not show in it. */
const CALL_MS = 0.05;

/**
 * How many reference loops an operation takes. Both are measured in turn several times, and the least of each counts:
 * whatever else the machine did made the others worse.
 */
export async function ratioToReference(operation: () => unknown): Promise<number> {
  const calls = Math.max(1, Math.round(CALL_MS / (await millisecondsOf(operation, 1))));
  let [least, leastReference] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    least = Math.min(least, await millisecondsOf(operation, calls));
    leastReference = Math.min(leastReference, await millisecondsOf(reference, REFERENCE_CALLS));
  }
  return least / leastReference;
}

/** The median of one call. */
async function millisecondsOf(operation: () => unknown, calls: number): Promise<number> {
  const bench = new Bench({ time: SAMPLE_MS, warmupTime: WARM_UP_MS, throws: true });
  bench.add('operation', () => callMany(operation, calls), { async: false });
  const [task] = await bench.run();
  const result = task?.result;
  if (!result || !('latency' in result)) throw new Error('nothing was measured');
  return result.latency.p50 / calls;
}

/** Results are handed on, so that no call can be left out as useless. */
function callMany(operation: () => unknown, calls: number): unknown {
  let result: unknown;
  for (let call = 0; call < calls; call += 1) result = operation();
  return result;
}

/**
 * A loop that has only ever called one function is compiled together with it, and what it makes and drops is not even
 * allocated. Real callers do not get that: this one has called many before anything is measured.
 */
const OTHERS = [() => 1, () => '', () => [], () => ({}), () => null, () => true, reference];
for (const other of OTHERS) callMany(other, 1_000);
