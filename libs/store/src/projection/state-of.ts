import { type ErrorSummary, type HistoryEvent, isTerminal, type JobState } from '@warren/history';
import { cleanText, cutText, textOrNull, wholeNumber } from '../clean-text.ts';
import type { StateDetails } from './job-row.ts';
import { LIMITS } from './limits.ts';

/** Events that tell a state. */
export type StateEvent = Exclude<HistoryEvent, { kind: 'progress' | 'log' }>;

export function isStateEvent(event: HistoryEvent): event is StateEvent {
  return event.kind !== 'progress' && event.kind !== 'log';
}

const NOTHING: StateDetails = {
  due_at_ms: null,
  finished_at_ms: null,
  error: null,
  reason: null,
  result: null,
  result_problem: null,
};

/** What else the event says about the state that it leads to. */
export function detailsOf(event: StateEvent, state: JobState): StateDetails {
  const ended = isTerminal(state) ? wholeNumber(event.atMs, LIMITS.timeMs) : null;
  const base = { ...NOTHING, finished_at_ms: ended };
  switch (event.kind) {
    case 'queued':
      return { ...base, due_at_ms: timeOrNull(event.dueAtMs) };
    case 'retrying':
      return { ...base, due_at_ms: timeOrNull(event.dueAtMs), error: errorText(event.error) };
    case 'succeeded':
      return { ...base, ...resultOf(event) };
    case 'dead':
      return { ...base, reason: reasonText(event.reason), error: errorText(event.error) };
    case 'interrupted':
      return { ...base, reason: reasonText(event.reason) };
    case 'cancelled':
    case 'discarded':
      return { ...base, reason: reasonText(event.by) };
    default:
      return base;
  }
}

/** An error as JSON text, within the bounds. */
export function errorText(error: ErrorSummary | undefined): string | null {
  if (error === undefined || error === null) return null;
  return JSON.stringify({
    name: cutText(error.name, LIMITS.errorNameBytes),
    message: cutText(error.message, LIMITS.messageBytes),
    stack: textOrNull(error.stack, LIMITS.stackBytes) ?? undefined,
  });
}

function resultOf({
  result,
  resultProblem,
}: Extract<HistoryEvent, { kind: 'succeeded' }>): Pick<StateDetails, 'result' | 'result_problem'> {
  const problem = textOrNull(resultProblem, LIMITS.messageBytes);
  if (result === undefined || result === null) return { result: null, result_problem: problem };
  const text = cleanText(result);
  if (Buffer.byteLength(text) <= LIMITS.resultBytes) {
    return { result: text, result_problem: problem };
  }
  return { result: null, result_problem: 'the result is larger than the store keeps' };
}

function reasonText(reason: unknown): string | null {
  return textOrNull(reason, LIMITS.messageBytes);
}

function timeOrNull(timeMs: number | undefined): number | null {
  return timeMs === undefined || timeMs === null ? null : wholeNumber(timeMs, LIMITS.timeMs);
}
