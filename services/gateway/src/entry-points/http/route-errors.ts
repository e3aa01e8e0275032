import type { RouteErrors } from './route.ts';

/** What a body in JSON may be refused for, before anybody looks at what it says. */
export const BODY_ERRORS = {
  400: ['BAD_REQUEST'],
  408: ['BAD_REQUEST'],
  413: ['PAYLOAD_TOO_LARGE'],
  415: ['BAD_REQUEST'],
} as const satisfies RouteErrors;

/** What a job or an event may be refused for by its type. */
export const ITEM_ERRORS = {
  413: ['PAYLOAD_TOO_LARGE'],
  422: ['UNKNOWN_JOB_TYPE', 'PAYLOAD_INVALID', 'HEADER_INVALID'],
} as const satisfies RouteErrors;

/** Nothing was published, and nothing will be for now. */
export const AWAY_ERRORS = {
  503: ['BROKER_UNAVAILABLE', 'BROKER_BLOCKED', 'SHUTTING_DOWN'],
} as const satisfies RouteErrors;

/** What may become of an event on its way. */
export const EMIT_ERRORS = {
  503: [...AWAY_ERRORS[503], 'PUBLISH_REFUSED', 'PUBLISH_BUFFER_FULL', 'PUBLISH_TIMEOUT'],
} as const satisfies RouteErrors;

/** What may become of a job on its way. */
export const PUBLISH_ERRORS = {
  503: [...EMIT_ERRORS[503], 'UNROUTABLE', 'QUEUE_FULL', 'OUTBOX_FULL'],
} as const satisfies RouteErrors;

/** The unforeseen, which any route may meet. */
export const UNFORESEEN = { 500: ['INTERNAL'] } as const satisfies RouteErrors;
