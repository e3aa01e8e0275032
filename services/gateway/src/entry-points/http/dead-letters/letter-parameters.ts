import type { Described, RouteErrors } from '../route.ts';
import { STORE_ERRORS } from '../status/store-port.ts';

/** `:queue` of a path. */
export const DEAD_QUEUE: Described = {
  name: 'queue',
  in: 'path',
  required: true,
  description:
    'The job type or subscriber, `jobs.unroutable`, or the name of a queue of dead letters.',
  schema: { type: 'string' },
};

/** `:id` of a path. */
export const RUN_ID: Described = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Of the replay or discard.',
  schema: { type: 'string' },
};

/** What looking at dead letters may answer. */
export const LOOK_ERRORS = {
  400: ['BAD_REQUEST'],
  404: ['QUEUE_MISSING'],
  409: ['LOCK_HELD'],
  500: ['INTERNAL'],
  501: ['STORE_MISSING'],
  503: ['BROKER_UNAVAILABLE', 'SHUTTING_DOWN'],
} as const satisfies RouteErrors;

/** What beginning or resuming a run may answer. */
export const RUN_ERRORS = {
  ...STORE_ERRORS,
  400: ['BAD_REQUEST'],
  404: ['QUEUE_MISSING'],
  409: ['LOCK_HELD'],
  503: [...STORE_ERRORS[503], 'BROKER_UNAVAILABLE', 'BROKER_BLOCKED'],
} as const satisfies RouteErrors;
