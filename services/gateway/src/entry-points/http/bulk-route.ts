import type { Request, Response } from 'express';
import { MAX_ITEMS, postJsonBulk } from './bulk-json.ts';
import { postNdjsonBulk } from './bulk-ndjson.ts';
import type { BulkRouteOptions } from './bulk-options.ts';
import { checkMediaType } from './media-type.ts';
import { refuseStrayOptions } from './request-rules.ts';
import type { Route } from './route.ts';
import { AWAY_ERRORS, BODY_ERRORS, UNFORESEEN } from './route-errors.ts';

const JSON_ARRAY = 'application/json';
export const NDJSON = 'application/x-ndjson';

/** `POST /v1/jobs/bulk`: takes many jobs over, and answers what became of each. */
export function bulkRoute(options: BulkRouteOptions): Route {
  return {
    method: 'post',
    path: '/v1/jobs/bulk',
    handle: (request, response) => postBulk(request, response, options),
    doc: {
      operationId: 'publishJobs',
      tag: 'jobs',
      summary: 'Accept many jobs',
      description: `A JSON array of at most ${MAX_ITEMS.toLocaleString('en')} jobs, answered as a whole in their order; or NDJSON of any length, one job a line, answered line by line as it becomes known what became of each, with the counts in a last line. Read the answer while you send: a slow reader slows the reading of the request down. What is wrong with an item is that item's error. The request as a whole is refused only while nothing was published.`,
      parameters: [{ $ref: '#/components/parameters/RequestId' }],
      requestBody: {
        [JSON_ARRAY]: {
          schema: {
            type: 'array',
            maxItems: MAX_ITEMS,
            items: { $ref: '#/components/schemas/Job' },
          },
          'x-examples': 'bulk',
        },
        [NDJSON]: {
          schema: { type: 'string', description: 'One `Job` in JSON a line.' },
          'x-examples': 'lines',
        },
      },
      responses: {
        200: {
          description: 'What became of each item.',
          content: {
            [JSON_ARRAY]: { schema: { $ref: '#/components/schemas/BulkResult' } },
            [NDJSON]: {
              schema: {
                type: 'string',
                description: 'One `ItemResult` in JSON a line, then `BulkCounts`.',
              },
            },
          },
        },
      },
      errors: { ...BODY_ERRORS, ...UNFORESEEN, 503: [...AWAY_ERRORS[503], 'OUTBOX_FULL'] },
    },
  };
}

async function postBulk(
  request: Request,
  response: Response,
  options: BulkRouteOptions,
): Promise<void> {
  refuseStrayOptions(request);
  const mediaType = checkMediaType(request, [JSON_ARRAY, NDJSON]);
  const refusal = options.acceptBulk.refusal();
  if (refusal) throw refusal;
  if (mediaType === NDJSON) await postNdjsonBulk(request, response, options);
  else await postJsonBulk(request, response, options);
}
