import { JobFailedError, type JobFailure, ResultMissingError } from '@warren/contracts';
import {
  type HistoryEvent,
  isTerminal,
  type OrderKey,
  orderKeyOf,
  stateAfter,
} from '@warren/history';

/** How a job ended. */
export interface Ending {
  readonly event: HistoryEvent;
  readonly key: OrderKey;
}

/** Undefined for what is no end. */
export function endingOf(event: HistoryEvent): Ending | undefined {
  const state = stateAfter(event);
  const key = orderKeyOf(event);
  return state !== undefined && key && isTerminal(state) ? { event, key } : undefined;
}

/**
 * What the handler returned; undefined where it returned nothing.
 * @throws JobFailedError, or ResultMissingError when it succeeded and the result was not kept
 */
export function resultOf({ event }: Ending): unknown {
  const { id, kind } = event;
  if (kind === 'succeeded') {
    if (event.resultProblem !== undefined) throw new ResultMissingError(id, event.resultProblem);
    return event.result === undefined ? undefined : parsed(id, event.result);
  }
  if (kind === 'dead') throw new JobFailedError(id, event.reason, event.error);
  // Only what is terminal comes here.
  throw new JobFailedError(id, kind as JobFailure);
}

function parsed(id: string, result: string): unknown {
  try {
    return JSON.parse(result);
  } catch {
    throw new ResultMissingError(id, 'it cannot be read');
  }
}
