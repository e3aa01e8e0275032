import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AcceptJob, JobRequest } from '../../domain/accept-job.ts';
import { uniqueOptionOf } from '../../domain/outbox/uniqueness-of.ts';
import type { RequestNotes } from './access-log.ts';
import { answerAccepted } from './answer-accepted.ts';
import { parseJobEnvelope } from './envelope.ts';
import { badFields } from './http-error.ts';
import { toJobRequest } from './job-request.ts';
import { readJsonBody } from './json-body.ts';
import { keyOf, refuseStrayOptions, requestIdOf } from './request-rules.ts';
import type { Route } from './route.ts';
import { BODY_ERRORS, ITEM_ERRORS, PUBLISH_ERRORS, UNFORESEEN } from './route-errors.ts';

/** What the route needs to know. */
export interface JobsRouteOptions {
  readonly accept: AcceptJob;
  readonly bodyLimitBytes: number;
  /** Whether `Idempotency-Key` is understood. */
  readonly takesKeys: boolean;
}

export const JOBS_PATH = '/v1/jobs';

/** `POST /v1/jobs`: takes one job over; answers 202 only when it is durable. */
export function jobsRoute(options: JobsRouteOptions): Route {
  return {
    method: 'post',
    path: JOBS_PATH,
    handle: (request, response) => postJob(request, response, options, response.locals),
    doc: {
      operationId: 'publishJob',
      tag: 'jobs',
      summary: 'Accept one job',
      description:
        'Answers 202 once the job is durable: the store has it, from where it is published at once or as soon as the broker is back; without a store, once the broker has it in a queue.',
      parameters: [
        { $ref: '#/components/parameters/RequestId' },
        { $ref: '#/components/parameters/IdempotencyKey' },
      ],
      requestBody: {
        'application/json': { schema: { $ref: '#/components/schemas/Job' }, 'x-examples': 'jobs' },
      },
      responses: {
        202: {
          description: 'The job is durable.',
          headers: { Location: { $ref: '#/components/headers/Location' } },
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/AcceptedJob' } },
          },
        },
      },
      errors: {
        ...BODY_ERRORS,
        ...ITEM_ERRORS,
        400: [...BODY_ERRORS[400], 'OPTION_NEEDS_STORE'],
        409: ['IDEMPOTENCY_CONFLICT'],
        ...UNFORESEEN,
        503: [...PUBLISH_ERRORS[503], 'STORE_UNAVAILABLE'],
      },
    },
  };
}

/**
 * Serves one request; what is wrong with it is thrown.
 * @param notes are told the job's id before anybody may have it
 * @param headers of the answer, beside its own
 */
export async function postJob(
  request: IncomingMessage,
  response: ServerResponse,
  { accept, bodyLimitBytes, takesKeys }: JobsRouteOptions,
  notes: RequestNotes,
  headers?: Readonly<Record<string, string>>,
): Promise<void> {
  const idempotency = takesKeys ? keyOf(request) : undefined;
  refuseStrayOptions(request, { takesKey: takesKeys });
  const envelope = parseJobEnvelope(await readJsonBody(request, bodyLimitBytes));
  const job = toJobRequest(envelope, requestIdOf(request));
  notes.jobId = job.id;
  if (idempotency !== undefined) refuseBoth(job);
  const taken = await accept(idempotency === undefined ? job : { ...job, idempotency });
  const { id, duplicate, replaced } = taken;
  const accepted = { id, type: job.type, state: 'accepted' };
  const marked = duplicate && { ...accepted, duplicate, ...(replaced && { replaced }) };
  answerAccepted(response, marked ?? accepted, `${JOBS_PATH}/${id}`, headers);
}

/** Which of the two has the last word, nobody could guess. */
function refuseBoth(job: JobRequest): void {
  const option = uniqueOptionOf(job);
  if (option === undefined) return;
  throw badFields([{ field: 'idempotency-key', message: `cannot be combined with ${option}` }]);
}
