import { JOB_STATES, type JobState } from '@warren/history';
import type { Request, Response } from 'express';
import { badFields } from '../http-error.ts';
import type { Route } from '../route.ts';
import { answerJson } from './answer-json.ts';
import { jobView } from './job-view.ts';
import { answers, PAGE, PAGE_LIMIT, queryParameter } from './parameters.ts';
import { readQuery, wholeNumberIn } from './query.ts';
import { needed, STORE_ERRORS, type StatusOptions } from './store-port.ts';

/** `GET /v1/jobs`: jobs that fit a filter, newest first. */
export function jobListRoute({ reader }: StatusOptions): Route {
  return {
    method: 'get',
    path: '/v1/jobs',
    handle: (request, response) => getJobs(request, response, { reader }),
    doc: {
      operationId: 'listJobs',
      tag: 'jobs',
      summary: 'List jobs, newest first',
      description: 'Needs the store. `cursor` of the answer asks for the next page.',
      parameters: [
        queryParameter('type', 'Only of this job type or event.', { type: 'string' }),
        queryParameter('state', 'Only in these states, with commas between them.', {
          type: 'string',
          examples: ['dead,cancelled'],
        }),
        queryParameter(
          'q',
          "How the id or the correlation id begins, or any part of the error's message: that is looked for among the newest 10,000 jobs with an error, of the type where one is given. Of ids that begin so the last 10,000 are looked at.",
          { type: 'string' },
        ),
        ...PAGE,
      ],
      responses: answers('A page of them.', 'JobPage'),
      errors: { 400: ['BAD_REQUEST', 'CURSOR_INVALID'], ...STORE_ERRORS },
    },
  };
}

async function getJobs(
  request: Request,
  response: Response,
  { reader }: StatusOptions,
): Promise<void> {
  const query = readQuery(request, ['type', 'state', 'q', 'limit', 'cursor']);
  const states = query.state === undefined ? undefined : statesIn(query.state);
  const limit = wholeNumberIn(query.limit, 'limit', PAGE_LIMIT);
  const { type, q: search, cursor } = query;
  const page = await needed(reader).list({ type, states, search, limit, cursor });
  answerJson(response, { jobs: page.items.map(jobView), cursor: page.cursor });
}

function statesIn(text: string): readonly JobState[] {
  const words = text.split(',');
  const unknown = words.find((word) => !JOB_STATES.some((state) => state === word));
  if (unknown === undefined) return words as JobState[];
  const message = `unknown state ${JSON.stringify(unknown.slice(0, 50))} (known: ${JOB_STATES.join(', ')})`;
  throw badFields([{ field: 'query.state', message }]);
}
