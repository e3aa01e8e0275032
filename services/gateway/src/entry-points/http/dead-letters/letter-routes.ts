import type { LetterGroup } from '@warren/dead-letter';
import type { Request, Response } from 'express';
import type { LetterDesk, ShownLetter } from '../../../domain/dead-letters/letter-desk.ts';
import { HttpError } from '../http-error.ts';
import type { Route } from '../route.ts';
import { answerJson } from '../status/answer-json.ts';
import { time } from '../status/job-view.ts';
import { answers, JOB_ID, PAGE, PAGE_LIMIT } from '../status/parameters.ts';
import { readQuery, wholeNumberIn } from '../status/query.ts';
import { needed } from '../status/store-port.ts';
import { DEAD_QUEUE, LOOK_ERRORS } from './letter-parameters.ts';
import { readSelectionQuery, SELECTED } from './selection-query.ts';

/** What the routes that show dead letters need to know. */
export interface LetterRoutesOptions {
  readonly letters?: LetterDesk | undefined;
}

type Handle = (request: Request, response: Response, letters: LetterDesk) => Promise<void>;

/** `GET /v1/dead-letters`, and of one queue the letters, their groups, and one of them. */
export function letterRoutes({ letters }: LetterRoutesOptions): Route[] {
  const { 404: _, 409: __, ...noQueueErrors } = LOOK_ERRORS;
  const handled = (handle: Handle) => (request: Request, response: Response) =>
    handle(request, response, needed(letters));
  return [
    {
      method: 'get',
      path: '/v1/dead-letters',
      handle: handled(getQueues),
      doc: {
        operationId: 'listDeadQueues',
        tag: 'dead letters',
        summary: 'How many dead letters each queue has',
        responses: answers('Those of all job types, and the unroutable.', 'DeadQueues'),
        errors: noQueueErrors,
      },
    },
    {
      method: 'get',
      path: '/v1/dead-letters/:queue',
      handle: handled(getLetters),
      doc: {
        operationId: 'listDeadLetters',
        tag: 'dead letters',
        summary: 'Show dead letters, from the oldest',
        description:
          'Takes none and changes no order. `cursor` goes on after the position of the last one, with the same selection; what was taken meanwhile moves the rest up. There is no index: those that are meant are looked for in the queue, as far as is needed. Personal data is redacted.',
        parameters: [DEAD_QUEUE, ...SELECTED, ...PAGE],
        responses: answers('A page of them.', 'DeadLetterPage'),
        errors: { ...LOOK_ERRORS, 400: ['BAD_REQUEST', 'CURSOR_INVALID'] },
      },
    },
    {
      method: 'get',
      path: '/v1/dead-letters/:queue/groups',
      handle: handled(getGroups),
      doc: {
        operationId: 'groupDeadLetters',
        tag: 'dead letters',
        summary: 'Count dead letters by job type and error',
        description: 'Looks at all of them; takes none and changes no order.',
        parameters: [DEAD_QUEUE, ...SELECTED],
        responses: answers('The largest group first.', 'DeadLetterGroups'),
        errors: LOOK_ERRORS,
      },
    },
    {
      method: 'get',
      path: '/v1/dead-letters/:queue/letters/:id',
      handle: handled(getLetter),
      doc: {
        operationId: 'getDeadLetter',
        tag: 'dead letters',
        summary: 'Show the dead letter of a job',
        parameters: [DEAD_QUEUE, JOB_ID],
        responses: answers('The oldest of this job.', 'DeadLetter'),
        errors: { ...LOOK_ERRORS, 404: ['QUEUE_MISSING', 'NOT_FOUND'] },
      },
    },
  ];
}

async function getQueues(request: Request, response: Response, letters: LetterDesk) {
  readQuery(request, []);
  answerJson(response, { queues: await letters.queues() });
}

async function getLetters(request: Request, response: Response, letters: LetterDesk) {
  const { selection, query } = readSelectionQuery(request, ['limit', 'cursor']);
  const limit = wholeNumberIn(query.limit, 'limit', PAGE_LIMIT);
  const after = positionIn(query.cursor);
  const queue = queueOf(request);
  const page = await letters.list(queue, { limit, after, selection });
  const cursor = page.next === undefined ? undefined : String(page.next);
  const deadLetters = page.letters.map(letterView);
  answerJson(response, { queue, depth: page.depth, deadLetters, cursor });
}

async function getGroups(request: Request, response: Response, letters: LetterDesk) {
  const { selection } = readSelectionQuery(request, []);
  const queue = queueOf(request);
  const { depth, groups, ungrouped } = await letters.groups(queue, selection);
  answerJson(response, { queue, depth, groups: groups.map(groupView), ungrouped });
}

async function getLetter(request: Request, response: Response, letters: LetterDesk) {
  readQuery(request, []);
  const queue = queueOf(request);
  const letter = await letters.find(queue, String(request.params['id']));
  if (letter) return answerJson(response, letterView(letter));
  const message = `${queue} has no dead letter of this job`;
  throw new HttpError(404, message, { code: 'NOT_FOUND' });
}

function queueOf(request: Request): string {
  return String(request.params['queue']);
}

/** @throws HttpError 400 */
function positionIn(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,12}$/.test(cursor)) return Number(cursor);
  const errors = [{ field: 'query.cursor', message: 'is none of these pages' }];
  throw new HttpError(400, 'query.cursor: is none of these pages', {
    code: 'CURSOR_INVALID',
    errors,
  });
}

function letterView({ publishedAtMs, deadAtMs, ...rest }: ShownLetter) {
  return { ...rest, publishedAt: time(publishedAtMs), deadAt: time(deadAtMs) };
}

function groupView({ firstSeenMs, lastSeenMs, ...rest }: LetterGroup) {
  return { ...rest, firstSeen: time(firstSeenMs), lastSeen: time(lastSeenMs) };
}
