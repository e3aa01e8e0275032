import { newJobId } from '@warren/contracts';
import { decodeBatch, encodeBatch } from './batch-codec.ts';
import type { HistoryEvent } from './event.ts';

const JOBS = 20;

const events = Array.from({ length: JOBS }, (): HistoryEvent[] => {
  const at = { id: newJobId(), type: 'bench.job', queue: 'bench.job', atMs: 1_800_000_000_000 };
  const base = { ...at, generation: 0, attempt: 1 };
  const run = newJobId();
  return [
    { ...base, kind: 'queued', attempt: 0, run: '', service: 'bench' },
    { ...base, kind: 'started', run, worker: 'bench-1' },
    { ...base, kind: 'succeeded', run, durationMs: 20 },
  ];
}).flat();
const body = encodeBatch(events);

/** One operation each; run by `npm run bench:micro`. */
export const micro: Readonly<Record<string, () => unknown>> = {
  [`encode the events of ${JOBS} jobs`]: () => encodeBatch(events),
  [`decode the events of ${JOBS} jobs`]: () => decodeBatch(body),
};
