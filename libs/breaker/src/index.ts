export type { Breaker, BreakerDeps, CircuitView } from './breaker.ts';
export type { BreakerOptions } from './breaker-options.ts';
export { type BreakerOverrides, Breakers, type BreakerView } from './breakers.ts';
export { openError } from './call-through.ts';
export type { Circuit, Permit } from './circuit.ts';
export { verdictOn } from './verdict.ts';
