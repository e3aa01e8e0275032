export { type Leave, MAX_PUT_OFF_MS } from './asker.ts';
export type { GcraAsk, GcraState } from './gcra.ts';
export { gcra, UNUSED } from './gcra.ts';
export { Limit, type LimitPolicy, type LimitUser, type LimitView } from './limit.ts';
export { Limits } from './limits.ts';
export type { LimitAnswer, LimitRequest, LimitsPort } from './limits-port.ts';
