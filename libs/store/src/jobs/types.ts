import type { ErrorSummary, JobState, LogLevel } from '@warren/history';
import type { Page } from '../page.ts';

/** A job as the store shows it. */
export interface JobRecord {
  readonly id: string;
  readonly queue: string;
  readonly type: string;
  readonly state: JobState;
  readonly generation: number;
  readonly attempt: number;
  readonly createdAtMs: number;
  readonly startedAtMs?: number | undefined;
  readonly finishedAtMs?: number | undefined;
  /** Not before this, while it is scheduled or retrying. */
  readonly dueAtMs?: number | undefined;
  readonly updatedAtMs: number;
  readonly progress?:
    | { readonly fraction: number; readonly message?: string | undefined }
    | undefined;
  readonly error?: ErrorSummary | undefined;
  readonly reason?: string | undefined;
  /** Why the state may not be the last word: something that was told of the job, or should have been, is missing. */
  readonly uncertain?: string | undefined;
  /** What the handler returned. */
  readonly result?: unknown;
  readonly resultProblem?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly service?: string | undefined;
  readonly worker?: string | undefined;
}

/** One run of a handler. */
export interface AttemptRecord {
  readonly generation: number;
  readonly attempt: number;
  readonly run: string;
  readonly worker?: string | undefined;
  readonly startedAtMs?: number | undefined;
  readonly endedAtMs?: number | undefined;
  readonly outcome?: string | undefined;
  readonly error?: ErrorSummary | undefined;
}

/** One line of a job's log. */
export interface LogRecord {
  readonly run: string;
  readonly seq: number;
  readonly atMs: number;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields?: unknown;
  /** The message was cut, or the fields left out, for their size. */
  readonly isCut?: boolean | undefined;
}

/** A page of a job's log. */
export interface LogPage extends Page<LogRecord> {
  /** Use it as the cursor later, for lines that are written after this page; also where `cursor` is undefined. */
  readonly position?: string | undefined;
  /** Lines of the job that are not kept: 1,000 are, the newest. */
  readonly missing: number;
}

/** Which jobs to list, newest first. */
export interface JobFilter {
  readonly type?: string | undefined;
  readonly states?: readonly JobState[] | undefined;
  /**
   * How the id or the correlation id begins, or a part of the error's message, among the newest 10,000 jobs with an error (of
   * the type, where one is given). Of ids that begin so, the last 10,000 are looked at.
   */
  readonly search?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Reads what is known of jobs. */
export interface JobReader {
  /** All jobs with this id: one, or one for each subscriber of an event. */
  find(id: string): Promise<readonly JobRecord[]>;
  attempts(queue: string, id: string): Promise<readonly AttemptRecord[]>;
  /** @throws CursorInvalidError */
  list(filter: JobFilter): Promise<Page<JobRecord>>;
  /** @throws CursorInvalidError */
  log(
    queue: string,
    id: string,
    page: { limit: number; cursor?: string | undefined },
  ): Promise<LogPage>;
  /** Jobs by queue and state, those that have not ended. */
  counts(): Promise<readonly { queue: string; state: JobState; count: number }[]>;
}
