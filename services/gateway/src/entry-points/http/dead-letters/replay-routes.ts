import type { Request, Response } from 'express';
import type { RunChange, RunDesk } from '../../../domain/dead-letters/run-desk.ts';
import { badFields, HttpError } from '../http-error.ts';
import { readJsonBody } from '../json-body.ts';
import type { Route } from '../route.ts';
import { BODY_ERRORS } from '../route-errors.ts';
import { answerJson } from '../status/answer-json.ts';
import { answers, PAGE, PAGE_LIMIT } from '../status/parameters.ts';
import { readQuery, wholeNumberIn } from '../status/query.ts';
import { needed, STORE_ERRORS } from '../status/store-port.ts';
import { whoAsks } from '../who.ts';
import { DEAD_QUEUE, RUN_ERRORS, RUN_ID } from './letter-parameters.ts';
import { type AskedRun, discardIn, replayIn, resumeIn } from './run-request.ts';
import { planView, runView } from './run-view.ts';

/** What the routes of replays need to know. */
export interface ReplayRoutesOptions {
  /** Absent without a store. */
  readonly runs?: RunDesk | undefined;
}

type Handle = (request: Request, response: Response, runs: RunDesk) => Promise<void>;

const MAX_BODY_BYTES = 1_024 * 1_024;
const FIX = 'What is meant is fixed first, letter by letter, then it goes on in the background';

const UNDER_WAY = {
  202: {
    description: 'It is under way.',
    headers: { Location: { $ref: '#/components/headers/Location' } },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Replay' } } },
  },
};

const BEGUN = { ...answers('What a dry run would do.', 'ReplayPlan'), ...UNDER_WAY };

/** `/v1/replays`, and `POST /v1/dead-letters/:queue/discard`. */
export function replayRoutes({ runs }: ReplayRoutesOptions): Route[] {
  const handled = (handle: Handle) => (request: Request, response: Response) =>
    handle(request, response, needed(runs));
  return [
    {
      method: 'post',
      path: '/v1/replays',
      handle: handled(postReplay),
      doc: {
        operationId: 'createReplay',
        tag: 'dead letters',
        summary: 'Put dead letters back into the queues that they failed in',
        description: `${FIX}; \`GET /v1/replays/{id}\` tells how far it is. A gateway that ends leaves it to be resumed, here or by \`warren dead replay --resume\`. Who, what and why are in the audit.`,
        requestBody: bodyOf('ReplayRequest', {
          all: { value: { queue: 'email.send', reason: 'the mail server is back' } },
          some: {
            value: {
              queue: 'email.send',
              selection: { errors: ['ECONNREFUSED'], since: '2026-11-29T03:00:00Z' },
              canary: 10,
              rate: 50,
            },
          },
          dryRun: { value: { queue: 'email.send', dryRun: true } },
        }),
        responses: BEGUN,
        errors: { ...RUN_ERRORS, ...BODY_ERRORS },
      },
    },
    {
      method: 'post',
      path: '/v1/dead-letters/:queue/discard',
      handle: handled(postDiscard),
      doc: {
        operationId: 'discardDeadLetters',
        tag: 'dead letters',
        summary: 'Drop dead letters for good',
        description: `${FIX}, as a replay does, and is shown among those. Each is told to the history before it is gone.`,
        parameters: [DEAD_QUEUE],
        requestBody: bodyOf('DiscardRequest', {
          one: { value: { selection: { ids: ['0197f2'] }, reason: 'test data' } },
          all: { value: { all: true, reason: 'the shop is closed' } },
        }),
        responses: BEGUN,
        errors: { ...RUN_ERRORS, ...BODY_ERRORS },
      },
    },
    {
      method: 'get',
      path: '/v1/replays',
      handle: handled(getReplays),
      doc: {
        operationId: 'listReplays',
        tag: 'dead letters',
        summary: 'List replays and discards, newest first',
        description: 'Those that the command `warren` began as well.',
        parameters: PAGE,
        responses: answers('A page of them.', 'ReplayPage'),
        errors: { 400: ['BAD_REQUEST', 'CURSOR_INVALID'], ...STORE_ERRORS },
      },
    },
    {
      method: 'get',
      path: '/v1/replays/:id',
      handle: handled(getReplay),
      doc: {
        operationId: 'getReplay',
        tag: 'dead letters',
        summary: 'How far a replay or discard is',
        parameters: [RUN_ID],
        responses: answers('It.', 'Replay'),
        errors: { 400: ['BAD_REQUEST'], 404: ['NOT_FOUND'], ...STORE_ERRORS },
      },
    },
    {
      method: 'delete',
      path: '/v1/replays/:id',
      handle: handled(deleteReplay),
      doc: {
        operationId: 'stopReplay',
        tag: 'dead letters',
        summary: 'Stop a replay or discard between two letters',
        description: 'Whoever runs it stops within seconds. It can be resumed.',
        parameters: [RUN_ID],
        responses: {
          202: { ...UNDER_WAY[202], description: 'It is asked to stop.' },
        },
        errors: {
          ...STORE_ERRORS,
          400: ['BAD_REQUEST'],
          404: ['NOT_FOUND'],
          409: ['RUN_STATE_CONFLICT'],
        },
      },
    },
    {
      method: 'post',
      path: '/v1/replays/:id/resume',
      handle: handled(postResume),
      doc: {
        operationId: 'resumeReplay',
        tag: 'dead letters',
        summary: 'Go on with a replay or discard that stopped or was interrupted',
        description:
          'With exactly what it chose when it began, without what is done. The body may be left out, unless it was begun with `edit`: the ledger does not keep that.',
        parameters: [RUN_ID],
        requestBody: bodyOf('ResumeRequest', {
          plain: { value: {} },
          edited: { value: { edit: { body: null } } },
        }),
        responses: UNDER_WAY,
        errors: {
          ...RUN_ERRORS,
          ...BODY_ERRORS,
          404: ['NOT_FOUND', 'QUEUE_MISSING'],
          409: ['RUN_STATE_CONFLICT', 'LOCK_HELD'],
        },
      },
    },
  ];
}

async function postReplay(request: Request, response: Response, runs: RunDesk) {
  readQuery(request, []);
  const asked = replayIn(await readJsonBody(request, MAX_BODY_BYTES));
  await begin(request, response, runs, asked);
}

async function postDiscard(request: Request, response: Response, runs: RunDesk) {
  readQuery(request, []);
  const queue = String(request.params['queue']);
  const asked = discardIn(queue, await readJsonBody(request, MAX_BODY_BYTES));
  await begin(request, response, runs, asked);
}

async function begin(
  http: Request,
  response: Response,
  runs: RunDesk,
  { request, isDryRun }: AskedRun,
): Promise<void> {
  if (isDryRun) return answerJson(response, planView(await runs.plan(request), request.kind));
  answerUnderWay(response, await runs.start(request, whoAsks(http, response)));
}

async function getReplays(request: Request, response: Response, runs: RunDesk) {
  const query = readQuery(request, ['limit', 'cursor']);
  const limit = wholeNumberIn(query.limit, 'limit', PAGE_LIMIT);
  const { items, cursor } = await runs.list({ limit, cursor: query.cursor });
  answerJson(response, { replays: items.map(runView), cursor });
}

async function getReplay(request: Request, response: Response, runs: RunDesk) {
  readQuery(request, []);
  const run = await runs.find(idOf(request));
  if (!run) throw missing();
  answerJson(response, runView(run));
}

async function deleteReplay(request: Request, response: Response, runs: RunDesk) {
  readQuery(request, []);
  answerUnderWay(
    response,
    changed(await runs.stop(idOf(request), whoAsks(request, response)), 'stopped'),
  );
}

async function postResume(request: Request, response: Response, runs: RunDesk) {
  readQuery(request, []);
  const edit = resumeIn(hasBody(request) ? await readJsonBody(request, MAX_BODY_BYTES) : {});
  const change = await runs.resume(idOf(request), whoAsks(request, response), edit);
  answerUnderWay(response, changed(change, 'resumed'));
}

function hasBody({ headers }: Request): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || length !== '0';
}

function changed(change: RunChange, word: string) {
  if (change.kind === 'done') return change.run;
  if (change.kind === 'missing') throw missing();
  if (change.kind === 'refused') throw badFields([change]);
  const message = `it is ${change.run.state}: it cannot be ${word}`;
  throw new HttpError(409, message, { code: 'RUN_STATE_CONFLICT' });
}

function missing(): HttpError {
  return new HttpError(404, 'no such replay or discard', { code: 'NOT_FOUND' });
}

function idOf(request: Request): string {
  return String(request.params['id']);
}

function answerUnderWay(response: Response, run: Parameters<typeof runView>[0]): void {
  response.set({ 'Cache-Control': 'no-store', Location: `/v1/replays/${run.id}` });
  response.status(202).json(runView(run));
}

function bodyOf(schema: string, examples: Readonly<Record<string, unknown>>) {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, examples } };
}
