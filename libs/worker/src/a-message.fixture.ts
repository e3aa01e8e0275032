import type { Identified } from './identified.ts';

/** A message as it is read from a delivery. */
export function aMessage(fields: Partial<Identified> = {}): Identified {
  return {
    id: 'job-1',
    type: 'report.render',
    attempt: 1,
    generation: 0,
    snoozes: 0,
    payloadVersion: 1,
    publishedAtMs: undefined,
    notBeforeMs: undefined,
    expiresAtMs: undefined,
    correlationId: undefined,
    replayOf: undefined,
    traceparent: undefined,
    previousSpan: undefined,
    returns: 0,
    ...fields,
  };
}
