import { newJobId } from '@warren/contracts';
import type { HistoryEvent } from '@warren/history';
import { foldEvents } from './projection/fold-events.ts';

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
const { jobs } = foldEvents(events);

/** One operation each; run by `npm run bench:micro`. */
export const micro: Readonly<Record<string, () => unknown>> = {
  [`fold the events of ${JOBS} jobs`]: () => foldEvents(events),
  [`write the rows of ${JOBS} jobs`]: () => JSON.stringify(jobs),
};
