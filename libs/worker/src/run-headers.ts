import type { Move, ReceivedMessage } from '@warren/broker';
import type { ProcessSpan } from '@warren/telemetry';

/** What a copy of a message says of its run. A job that came without a trace begins one with its first run. */
export function headersOfRun(
  { traceparent }: ReceivedMessage,
  span: ProcessSpan | undefined,
): Move['headers'] | undefined {
  if (!span) return undefined;
  return { traceparent: traceparent ?? span.traceparent, previousSpan: span.traceparent };
}
