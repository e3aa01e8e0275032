import type { JobReader } from '@warren/store';
import { HttpError } from '../http-error.ts';
import type { RouteErrors } from '../route.ts';

/** What the routes that read of jobs need to know. */
export interface StatusOptions {
  /** Absent where there is no store. */
  readonly reader?: JobReader | undefined;
}

/** What every route that needs the store may answer. */
export const STORE_ERRORS = {
  500: ['INTERNAL', 'STORE_TOO_NEW'],
  501: ['STORE_MISSING'],
  503: ['STORE_UNAVAILABLE', 'SHUTTING_DOWN'],
} as const satisfies RouteErrors;

/** 503 of a route that publishes something about a job. */
export const CHANGE_ERRORS = [
  ...STORE_ERRORS[503],
  'BROKER_UNAVAILABLE',
  'BROKER_BLOCKED',
  'PUBLISH_REFUSED',
  'PUBLISH_BUFFER_FULL',
  'PUBLISH_TIMEOUT',
  'UNROUTABLE',
] as const;

/** 503 of a route that follows what happens. */
export const FOLLOW_ERRORS = [...STORE_ERRORS[503], 'FOLLOWERS_FULL'] as const;

/**
 * What needs the store, where there is one.
 * @throws HttpError 501 where there is none
 */
export function needed<Part>(part: Part | undefined): Part {
  if (part !== undefined) return part;
  throw new HttpError(
    501,
    'this gateway has no store: set DATABASE_URL, so that what happens to jobs is kept',
    { code: 'STORE_MISSING' },
  );
}
