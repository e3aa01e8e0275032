import type { Described, RouteErrors } from '../route.ts';

/** `:queue` of a path. */
export const QUEUE: Described = {
  name: 'queue',
  in: 'path',
  required: true,
  description: 'The job type, or the subscriber.',
  schema: { type: 'string' },
};

/** What reading of queues may answer. */
export const QUEUE_READ_ERRORS = {
  400: ['BAD_REQUEST'],
  500: ['INTERNAL'],
  501: ['STORE_MISSING'],
  503: ['BROKER_UNAVAILABLE', 'SHUTTING_DOWN'],
} as const satisfies RouteErrors;

/** What switching something for a queue may answer. */
export const QUEUE_CHANGE_ERRORS = {
  ...QUEUE_READ_ERRORS,
  404: ['QUEUE_MISSING'],
  409: ['LOCK_HELD'],
  500: ['INTERNAL', 'STORE_TOO_NEW'],
  503: [
    ...QUEUE_READ_ERRORS[503],
    'BROKER_BLOCKED',
    'STORE_UNAVAILABLE',
    'PUBLISH_REFUSED',
    'PUBLISH_TIMEOUT',
    'PUBLISH_BUFFER_FULL',
    'UNROUTABLE',
  ],
} as const satisfies RouteErrors;
