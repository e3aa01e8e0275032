import type { DeadReason } from '@warren/contracts';

/** What every event says. */
interface EventBase {
  /** The job. */
  readonly id: string;
  /** Its job type; for a delivery of an event, the event's name. */
  readonly type: string;
  /** The work queue, without namespace: the job type, or the subscriber. With `id` it names one job of the history. */
  readonly queue: string;
  /** ms since 1970, by the clock of whoever tells it. */
  readonly atMs: number;
  readonly generation: number;
  readonly attempt: number;
  /** One run of a handler: a UUIDv7, so that later runs sort after earlier ones. Empty outside a run. */
  readonly run: string;
}

/** An error as the history keeps it; texts are cut. */
export interface ErrorSummary {
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
}

/** Levels of a job's own log. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** What is told beside the base, by kind of event. */
export interface EventDetails {
  /** The job is durable, but not at the broker yet. */
  accepted: { readonly service: string; readonly correlationId?: string | undefined };
  /** The broker has it. `dueAtMs` when it may not run before; `createdAtMs` where its id does not tell when it was made. */
  queued: {
    readonly service: string;
    readonly correlationId?: string | undefined;
    readonly dueAtMs?: number | undefined;
    readonly createdAtMs?: number | undefined;
  };
  started: { readonly worker: string };
  /** `fraction` from 0 to 1. */
  progress: { readonly fraction: number; readonly message?: string | undefined };
  /** `seq` counts the lines of one run from 1. `fields` is JSON text. */
  log: {
    readonly seq: number;
    readonly level: LogLevel;
    readonly message: string;
    readonly fields?: string | undefined;
  };
  /** It waits in a tier. `isSpent` tells a failed attempt from a snooze. */
  retrying: {
    readonly dueAtMs: number;
    readonly isSpent: boolean;
    readonly error?: ErrorSummary | undefined;
  };
  /** `result` is JSON text; `resultProblem` says why there is none although the handler returned something. */
  succeeded: {
    readonly durationMs: number;
    readonly result?: string | undefined;
    readonly resultProblem?: string | undefined;
  };
  dead: { readonly reason: DeadReason; readonly error?: ErrorSummary | undefined };
  cancelled: { readonly by?: string | undefined };
  /** Worthless by its own time before it ran. */
  expired: Record<never, never>;
  /** Its run ended without an outcome: the worker died or was stopped. It is delivered again. */
  interrupted: { readonly reason: string };
  /** A dead letter was published again; `generation` is the new one. */
  replayed: { readonly by?: string | undefined };
  /** A dead letter was dropped on purpose. */
  discarded: { readonly by?: string | undefined };
}

/** Why a run is interrupted whose worker no heartbeat comes from any more. */
export const WORKER_SILENT = 'its worker fell silent';

/** Kinds of events. */
export type HistoryKind = keyof EventDetails;

/** Something that happened to a job. */
export type HistoryEvent = {
  [Kind in HistoryKind]: EventBase & { readonly kind: Kind } & EventDetails[Kind];
}[HistoryKind];

/** Where a job can stand. */
export const JOB_STATES = [
  'accepted',
  'scheduled',
  'queued',
  'running',
  'interrupted',
  'retrying',
  'succeeded',
  'dead',
  'cancelled',
  'expired',
  'discarded',
] as const;

/** Where a job stands. */
export type JobState = (typeof JOB_STATES)[number];
