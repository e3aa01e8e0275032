import type { HistoryEvent } from './event.ts';
import { type EventRow, rowOf, type StartedEvent } from './event-row.ts';

/**
 * Events of one batch as rows. That a run began is told with the next event of the run, where there is one: of jobs that take
 * less than a flush that is every run, and two fifths of what would be written. Readers get both.
 */
export function rowsOf(events: readonly HistoryEvent[]): EventRow[] {
  const next = nextOfRuns(events);
  const rows: EventRow[] = [];
  for (const event of events) {
    const started = next.get(event);
    if (started !== TOLD) rows.push(rowOf(event, started));
  }
  return rows;
}

/** Marks a beginning that another event tells. */
const TOLD = Symbol('told');

/** The beginnings that are told with another event, and for each of those the beginning that it tells. */
function nextOfRuns(events: readonly HistoryEvent[]) {
  const next = new Map<HistoryEvent, StartedEvent | typeof TOLD>();
  const begun = new Map<string, StartedEvent>();
  for (const event of events) {
    const started = begun.get(event.run);
    if (started) {
      begun.delete(event.run);
      if (isOfSameRun(started, event)) next.set(event, started).set(started, TOLD);
    }
    if (event.kind === 'started') begun.set(event.run, event);
  }
  return next;
}

function isOfSameRun(started: StartedEvent, event: HistoryEvent): boolean {
  return (
    event.kind !== 'started' &&
    event.id === started.id &&
    event.type === started.type &&
    event.queue === started.queue &&
    event.generation === started.generation &&
    event.attempt === started.attempt
  );
}
