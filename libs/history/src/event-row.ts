import type { HistoryEvent, HistoryKind } from './event.ts';
import {
  BASE_FIELDS,
  BEGINNING_FIELDS,
  DETAIL_FIELDS,
  type Field,
  REFUSED,
} from './event-fields.ts';

/** An event as it travels: its kind, then its fields in the order of their table. 40 % smaller than with their names. */
export type EventRow = unknown[];

/** A run begins. */
export type StartedEvent = Extract<HistoryEvent, { kind: 'started' }>;

type Fields = readonly (readonly [name: string, field: Field])[];

const BASE: Fields = Object.entries(BASE_FIELDS);
const BEGINNING: Fields = Object.entries(BEGINNING_FIELDS);

const DETAILS = Object.fromEntries(
  Object.entries(DETAIL_FIELDS).map(([kind, fields]) => [kind, Object.entries(fields)]),
) as unknown as Readonly<Record<HistoryKind, Fields>>;

/** @param started the beginning of the same run, which this row tells too */
export function rowOf(event: HistoryEvent, started?: StartedEvent): EventRow {
  const { kind, id, type, queue, atMs, generation, attempt, run } = event;
  const row: EventRow = [kind, id, type, queue, atMs, generation, attempt, run];
  for (const [name] of DETAILS[kind]) {
    row.push((event as unknown as Readonly<Record<string, unknown>>)[name]);
  }
  if (started) row.push(started.atMs, started.worker);
  else while (row.at(-1) === undefined) row.pop();
  return row;
}

/**
 * The event in a row, after the beginning of its run where the row tells that too. What follows the fields that are known
 * here is left out: a later version may append some. Undefined for a kind that is not known, and where a field is missing
 * or is not what it should be.
 */
export function eventsIn(row: unknown): HistoryEvent[] | undefined {
  if (!Array.isArray(row)) return undefined;
  const [kind] = row as EventRow;
  if (typeof kind !== 'string' || !Object.hasOwn(DETAILS, kind)) return undefined;
  const event: Record<string, unknown> = { kind };
  const details = DETAILS[kind as HistoryKind];
  const isWhole =
    readFields(row, 1, BASE, event) && readFields(row, 1 + BASE.length, details, event);
  if (!isWhole) return undefined;
  const told = event as unknown as HistoryEvent;
  const started = beginningOf(told, row, 1 + BASE.length + details.length);
  return started ? [started, told] : [told];
}

function beginningOf(event: HistoryEvent, row: EventRow, from: number): StartedEvent | undefined {
  if (event.kind === 'started' || row.length < from + BEGINNING.length) return undefined;
  const told: { startedAtMs?: number; worker?: string } = {};
  if (!readFields(row, from, BEGINNING, told)) return undefined;
  const { startedAtMs: atMs, worker } = told;
  if (atMs === undefined || worker === undefined) return undefined;
  const { id, type, queue, generation, attempt, run } = event;
  return { kind: 'started', id, type, queue, atMs, generation, attempt, run, worker };
}

function readFields(
  row: EventRow,
  from: number,
  fields: Fields,
  event: Record<string, unknown>,
): boolean {
  for (const [index, [name, field]] of fields.entries()) {
    // JSON has null where a row has nothing.
    const value = field(row[from + index] ?? undefined);
    if (value === REFUSED) return false;
    if (value !== undefined) event[name] = value;
  }
  return true;
}
