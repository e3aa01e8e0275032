import { type GcraAsk, type GcraState, gcra, UNUSED } from './gcra.ts';

const ask: GcraAsk = { intervalMs: 10, burst: 5, wanted: 1, putOff: 0, maxPutOffMs: 60_000 };
const nowMs = 1_000_000;
const used: GcraState = { fullAtMs: nowMs + 50, putOffToMs: nowMs + 200, intervalMs: 10 };

/** One operation each; run by `npm run bench:micro`. */
export const micro: Readonly<Record<string, () => unknown>> = {
  'grant a start': () => gcra(UNUSED, ask, nowMs),
  'put a job off': () => gcra(used, { ...ask, putOff: 1 }, nowMs),
};
