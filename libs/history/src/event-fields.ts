import type { EventDetails, HistoryKind } from './event.ts';

/** Takes a value as it came, or refuses it with `REFUSED`. */
export type Field = (value: unknown) => unknown;

/** What a field answers to a value that it cannot take. */
export const REFUSED = Symbol('refused');

/** Names are AMQP's short strings. */
const MAX_NAME_LENGTH = 255;
const MAX_COUNT = 2_147_483_647;
/** The last date that JavaScript knows. */
const MAX_TIME_MS = 8_640_000_000_000_000;

const LEVELS: readonly unknown[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

const text: Field = (value) => (typeof value === 'string' ? value : REFUSED);

const name: Field = (value) =>
  typeof value === 'string' && value.length > 0 && value.length <= MAX_NAME_LENGTH
    ? value
    : REFUSED;

const count: Field = (value) =>
  Number.isInteger(value) && isWithin(value, MAX_COUNT) ? value : REFUSED;

/** Whole milliseconds: clocks differ by more than a part of one. */
const time: Field = (value) =>
  isWithin(value, MAX_TIME_MS) ? Math.round(value as number) : REFUSED;

const fraction: Field = (value) => (isWithin(value, 1) ? value : REFUSED);
const duration: Field = (value) => (isWithin(value, MAX_TIME_MS) ? value : REFUSED);
const yesOrNo: Field = (value) => (typeof value === 'boolean' ? value : REFUSED);
const level: Field = (value) => (LEVELS.includes(value) ? value : REFUSED);

const optional =
  (field: Field): Field =>
  (value) =>
    value === undefined ? undefined : field(value);

const error: Field = (value) => {
  if (typeof value !== 'object' || value === null) return REFUSED;
  const {
    name: ownName,
    message,
    stack,
  } = value as Partial<Record<'name' | 'message' | 'stack', unknown>>;
  if (typeof ownName !== 'string' || typeof message !== 'string') return REFUSED;
  return typeof stack === 'string' ? { name: ownName, message, stack } : { name: ownName, message };
};

/** The fields of every event, in the order in which they travel. */
export const BASE_FIELDS: Readonly<Record<string, Field>> = {
  id: name,
  type: name,
  queue: name,
  atMs: time,
  generation: count,
  attempt: count,
  run: (value) => (value === '' ? value : name(value)),
};

/** What a row says after all fields of its event where it also tells that its run began: what is known later follows these. */
export const BEGINNING_FIELDS: Readonly<Record<'startedAtMs' | 'worker', Field>> = {
  startedAtMs: optional(time),
  worker: optional(text),
};

/** The fields that each kind of event has besides, in their order: a new one goes to the end, and is optional. */
export const DETAIL_FIELDS: {
  readonly [Kind in HistoryKind]: { readonly [Name in keyof EventDetails[Kind]]-?: Field };
} = {
  accepted: { service: text, correlationId: optional(text) },
  queued: {
    service: text,
    correlationId: optional(text),
    dueAtMs: optional(time),
    createdAtMs: optional(time),
  },
  started: { worker: text },
  progress: { fraction, message: optional(text) },
  log: { seq: count, level, message: text, fields: optional(text) },
  retrying: { dueAtMs: time, isSpent: yesOrNo, error: optional(error) },
  succeeded: {
    durationMs: duration,
    result: optional(text),
    resultProblem: optional(text),
  },
  dead: { reason: name, error: optional(error) },
  cancelled: { by: optional(text) },
  expired: {},
  interrupted: { reason: text },
  replayed: { by: optional(text) },
  discarded: { by: optional(text) },
};

function isWithin(value: unknown, max: number): boolean {
  return typeof value === 'number' && value >= 0 && value <= max;
}
