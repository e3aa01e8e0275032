import type { HistoryEvent } from '@warren/history';
import { time } from '../status/job-view.ts';

/** An event as clients see it: times in ISO 8601, JSON texts as the JSON that they are. */
export function eventView(event: HistoryEvent): Record<string, unknown> {
  const { atMs, ...rest } = event;
  const view: Record<string, unknown> = { ...rest, at: time(atMs) };
  if ('dueAtMs' in event) {
    delete view['dueAtMs'];
    view['dueAt'] = time(event.dueAtMs);
  }
  if (event.kind === 'succeeded') view['result'] = parsed(event.result);
  if (event.kind === 'log') view['fields'] = parsed(event.fields);
  return view;
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
