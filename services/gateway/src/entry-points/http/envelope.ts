import type { PublishHeaders } from '@warren/client';
import { type Duration, LANES, type Lane } from '@warren/contracts';
import { z } from 'zod';
import type { UniqueOptions } from '../../domain/accept-job.ts';
import { duration, textOf } from './envelope-text.ts';
import { headerErrors } from './header-rules.ts';
import { badFields, type FieldError } from './http-error.ts';
import { textErrors, timingErrors } from './option-rules.ts';
import { uniqueMembers } from './unique-members.ts';
import { uniqueErrors } from './unique-rules.ts';

/** What may be asked of jobs and events alike. The payload's schema belongs to the job type or event. */
export interface EventEnvelope {
  readonly type: string;
  readonly payload: unknown;
  /** In lower case, however it was sent: one job has one id. */
  readonly id?: string;
  readonly correlationId?: string;
  readonly headers?: PublishHeaders;
  readonly expiresIn?: Duration;
}

/** Body of `POST /v1/jobs`, and one item of a bulk request. */
export interface JobEnvelope extends EventEnvelope, UniqueOptions {
  readonly idempotencyKey?: string;
  readonly delay?: Duration;
  /** With a time zone; checked, but as text. */
  readonly runAt?: string;
  readonly lane?: Lane;
}

const members = {
  type: textOf('expected a name such as "email.send"').min(1, 'is empty'),
  payload: z.unknown(),
  id: z
    .uuid('expected a UUID')
    .toLowerCase()
    .optional()
    .describe('Default: a fresh one. Repeat an unknown publish with the same id.'),
  correlationId: textOf('expected a string')
    .min(1, 'is empty')
    .optional()
    .describe("At most 255 bytes. Default: the request's `X-Request-Id`."),
  headers: z
    .record(z.string(), z.unknown(), 'expected an object')
    .optional()
    .meta({
      description:
        'Sent along. Strings of at most 1 KiB, finite numbers, booleans; names that begin with `x-`, CC, BCC, traceparent and tracestate are reserved.',
      maxProperties: 30,
      additionalProperties: { type: ['string', 'number', 'boolean'] },
    }),
  expiresIn: duration('Worthless after this: what has not run by then is dropped', '2h'),
};

const jobMembers = {
  idempotencyKey: textOf('expected a string')
    .min(1, 'is empty')
    .optional()
    .describe(
      'Makes the id, always the same for job type and key, at most 1,024 bytes. It does not by itself keep a second job with the same key from running.',
    ),
  delay: duration('Not to be run before this long from now, at most 24h', '5m'),
  runAt: z.iso
    .datetime({
      offset: true,
      error: "expected an ISO 8601 time with its zone, such as '2026-11-29T14:00:00Z'",
    })
    .optional()
    .describe('Not to be run before this time, at most 24h ahead. A time that is over means now.'),
  lane: z
    .enum(LANES, `expected one of ${LANES.join(', ')}`)
    .optional()
    .describe('For job types with lanes: which one it waits in. Default: `normal`.'),
  ...uniqueMembers,
};

const envelopeOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === 'invalid_type' ? 'expected a JSON object' : undefined),
  });

/** What an event's body must look like, whatever its payload. */
export const eventEnvelope = envelopeOf(members);

/** What a job's body must look like, whatever its payload. */
export const jobEnvelope = envelopeOf({ ...members, ...jobMembers });

/** @throws HttpError 400 that names every field that is wrong or unknown */
export function parseEventEnvelope(body: unknown): EventEnvelope {
  return parse(eventEnvelope, body) as EventEnvelope;
}

/** @throws HttpError 400 that names every field that is wrong or unknown */
export function parseJobEnvelope(body: unknown): JobEnvelope {
  return parse(jobEnvelope, body) as JobEnvelope;
}

function parse(schema: typeof eventEnvelope | typeof jobEnvelope, body: unknown): EventEnvelope {
  const parsed = schema.safeParse(body);
  if (!parsed.success) {
    const known = Object.keys(schema.shape);
    throw badFields(parsed.error.issues.flatMap((issue) => toFieldErrors(issue, known)));
  }
  const errors = furtherErrors(parsed.data);
  if (errors.length > 0) throw badFields(errors);
  return parsed.data as EventEnvelope;
}

/** What the schemas cannot say: a payload may be anything but must be there; what depends on other fields or on the time. */
function furtherErrors(envelope: z.output<typeof jobEnvelope>): FieldError[] {
  const errors = envelope.headers ? headerErrors(envelope.headers) : [];
  if (envelope.payload === undefined) errors.push({ field: 'payload', message: 'is required' });
  return [...errors, ...textErrors(envelope), ...timingErrors(envelope), ...uniqueErrors(envelope)];
}

function toFieldErrors(issue: z.core.$ZodIssue, known: readonly string[]): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: [...path, key.slice(0, 100)].join('.'),
      message: `unknown option (known: ${known.join(', ')})`,
    }));
  }
  return [{ field: path.join('.') || 'body', message: issue.message }];
}
