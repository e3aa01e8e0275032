import { ERROR_CODES, type ErrorCode } from '@warren/contracts';
import { z } from 'zod';
import { BREAKER_SCHEMAS } from '../breakers/breaker-schemas.ts';
import { LETTER_SCHEMAS } from '../dead-letters/letter-schemas.ts';
import { LIMIT_SCHEMAS } from '../limits/limit-schemas.ts';
import { MAX_FIELD_ERRORS } from '../problem-bounds.ts';
import { problemType } from '../problem-of.ts';
import { QUEUE_SCHEMAS } from '../queues/queue-schemas.ts';
import type { Described, RouteErrors } from '../route.ts';
import { ITEM_ERRORS, PUBLISH_ERRORS } from '../route-errors.ts';
import { JOB_SCHEMAS } from '../status/job-schemas.ts';
import { type JsonSchema, toJsonSchema } from './payload-schemas.ts';

const fieldErrors = z
  .array(
    z.object({
      field: z
        .string()
        .describe(
          'Dotted path from the root of the body, `query.<name>`, or the name of a header.',
        ),
      message: z.string(),
    }),
  )
  .max(MAX_FIELD_ERRORS)
  .optional()
  .describe('What is wrong, field by field; `detail` says so where there is more.');

const id = z.uuid();
const count = z.int().min(0);
const repeatId = id
  .optional()
  .describe('With PUBLISH_TIMEOUT: it is unknown whether the job was taken; repeat with this id.');

const problem = z
  .object({
    type: z.string().describe('A URN made of the code.'),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string(),
    code: z.enum(Object.keys(ERROR_CODES)).describe('Stable: decide by it.'),
    errors: fieldErrors,
    id: repeatId,
  })
  .describe('A problem document (RFC 9457).');

const marks = {
  duplicate: z
    .literal(true)
    .optional()
    .describe('Nothing was made: this is the job of an earlier request.'),
  replaced: z
    .literal(true)
    .optional()
    .describe('With `debounce`: that job waits, and will do what this request says.'),
};

const itemCodes = [
  'BAD_REQUEST',
  'INTERNAL',
  'OPTION_NEEDS_STORE',
  'STORE_UNAVAILABLE',
  ...Object.values({ ...ITEM_ERRORS }).flat(),
];
const itemError = z.object({
  code: z.enum([...new Set([...itemCodes, ...PUBLISH_ERRORS[503]])]),
  title: z.string(),
  detail: z.string(),
  errors: fieldErrors,
  id: repeatId,
});
const itemResult = z.union([
  z.object({ index: count, id, ...marks }),
  z.object({ index: count, error: itemError }),
]);
const counts = { accepted: count, rejected: count };

/** Component schemas of what the gateway answers. */
export function answerSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries({
      Problem: problem,
      AcceptedJob: z.object({
        id,
        type: z.string(),
        state: z.literal('accepted'),
        ...marks,
      }),
      AcceptedEvent: z.object({ id, type: z.string() }),
      ItemResult: itemResult,
      BulkCounts: z.object({ ...counts, error: itemError.optional() }),
      BulkResult: z.object({ ...counts, results: z.array(itemResult) }),
      ...JOB_SCHEMAS,
      ...QUEUE_SCHEMAS,
      ...BREAKER_SCHEMAS,
      ...LETTER_SCHEMAS,
      ...LIMIT_SCHEMAS,
      Health: z.object({ healthy: z.boolean() }),
      Readiness: z.object({
        ready: z.boolean(),
        services: z.record(
          z.string(),
          z.object({ ready: z.boolean(), checks: z.record(z.string(), z.string()) }),
        ),
      }),
    }).map(([name, schema]) => [name, toJsonSchema(schema)]),
  );
}

/** The problem documents that a route may answer, as responses by status. */
export function problemResponses(errors: RouteErrors): Record<string, Described> {
  return Object.fromEntries(
    Object.entries(errors).map(([status, codes]: [string, RouteErrors[number]]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${ERROR_CODES[code].title}.`).join(' '),
        ...(['429', '503'].includes(status) && {
          headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
        }),
        content: {
          'application/problem+json': {
            schema: {
              allOf: [
                { $ref: '#/components/schemas/Problem' },
                { properties: { code: { enum: codes } } },
              ],
            },
            examples: Object.fromEntries(
              codes.map((code) => [code, { value: exampleOf(code, Number(status)) }]),
            ),
          },
        },
      },
    ]),
  );
}

/** Viewers that make examples by themselves pick a code that this answer never has. */
function exampleOf(code: ErrorCode, status: number): Described {
  const { title } = ERROR_CODES[code];
  return { type: problemType(code), title, status, detail: title, code };
}
