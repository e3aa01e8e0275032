import type { EmitOptions, Jobs } from '@warren/client';

/** An event that somebody reports, its envelope already checked; the payload is not yet. */
export interface EventRequest extends Pick<EmitOptions, 'correlationId' | 'headers' | 'expiresIn'> {
  readonly type: string;
  readonly payload: unknown;
  readonly id: string;
}

/** Takes an event over: when it resolves, the broker has it for every reader there is. Rejects as `AcceptJob` does. */
export type AcceptEvent = (request: EventRequest) => Promise<{ readonly id: string }>;

/** @param timeoutMs how long a confirm may take */
export function acceptByEmitting(jobs: Pick<Jobs, 'emitByType'>, timeoutMs: number): AcceptEvent {
  return ({ type, payload, ...options }) =>
    jobs.emitByType(type, payload, { ...options, timeoutMs });
}
