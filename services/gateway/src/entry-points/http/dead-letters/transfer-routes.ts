import { type LetterRecord, parseLetterRecord } from '@warren/dead-letter';
import type { Request, Response } from 'express';
import type { TransferDesk } from '../../../domain/dead-letters/transfer-desk.ts';
import { badFields } from '../http-error.ts';
import { readJsonBody } from '../json-body.ts';
import { checkMediaType } from '../media-type.ts';
import { LineSplitter } from '../ndjson-lines.ts';
import { NdjsonWriter } from '../ndjson-writer.ts';
import { readBody } from '../read-body.ts';
import type { Route } from '../route.ts';
import { BODY_ERRORS } from '../route-errors.ts';
import { answerJson } from '../status/answer-json.ts';
import { answers, queryParameter } from '../status/parameters.ts';
import { readQuery } from '../status/query.ts';
import { needed } from '../status/store-port.ts';
import { whoAsks } from '../who.ts';
import { DEAD_QUEUE, RUN_ERRORS } from './letter-parameters.ts';
import { exportIn } from './run-request.ts';

/** What the routes of exports and imports need to know. */
export interface TransferRoutesOptions {
  /** Absent without a store. */
  readonly transfer?: TransferDesk | undefined;
}

const NDJSON = 'application/x-ndjson';
const MAX_BODY_BYTES = 1_024 * 1_024;
/** All of it is read before any is published. */
const MAX_IMPORT_BYTES = 64 * 1_024 * 1_024;
const LINES = 'One dead letter a line, as `warren dead export` writes them.';

const EXAMPLE: LetterRecord = {
  format: 'warren.dead-letter.v1',
  queue: 'email.send.dead',
  routingKey: 'email.send',
  properties: { messageId: '0197f2', type: 'email.send' },
  headers: { 'x-dead-reason': 'non_retryable' },
  payload: { to: 'ada@example.org', subject: 'Hello', text: 'Hi' },
};

type Handle = (request: Request, response: Response, transfer: TransferDesk) => Promise<void>;

/** `POST /v1/dead-letters/:queue/export` and `POST /v1/dead-letter-imports`. */
export function transferRoutes({ transfer }: TransferRoutesOptions): Route[] {
  const handled = (handle: Handle) => (request: Request, response: Response) =>
    handle(request, response, needed(transfer));
  const { 409: _, ...importErrors } = RUN_ERRORS;
  return [
    {
      method: 'post',
      path: '/v1/dead-letters/:queue/export',
      handle: handled(postExport),
      doc: {
        operationId: 'exportDeadLetters',
        tag: 'dead letters',
        summary: 'Write dead letters as lines of JSON',
        description:
          'Takes none; nobody else takes from the queue meanwhile. Personal data is redacted, unless `showPii`: redacted lines cannot be imported. Where it cannot come to its end, the connection is cut off: an answer that ends is whole. It is in the audit.',
        parameters: [DEAD_QUEUE],
        requestBody: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ExportRequest' },
            examples: { all: { value: {} }, some: { value: { selection: { errors: ['EBOX'] } } } },
          },
        },
        responses: {
          200: { description: LINES, content: { [NDJSON]: { schema: { type: 'string' } } } },
        },
        errors: { ...RUN_ERRORS, ...BODY_ERRORS },
      },
    },
    {
      method: 'post',
      path: '/v1/dead-letter-imports',
      handle: handled(postImport),
      doc: {
        operationId: 'importDeadLetters',
        tag: 'dead letters',
        summary: 'Publish exported dead letters again',
        description: `All of it, ${MAX_IMPORT_BYTES / 1_024 / 1_024} MiB at most, is read before any is published: of a body with a wrong line, nothing is. It ends with the first hundred of which one cannot be published. It is in the audit.`,
        parameters: [
          queryParameter('toQueue', 'Replay them: to the queues that they failed in.', {
            enum: ['true'],
          }),
          queryParameter('reason', 'Why, for the audit.', { type: 'string' }),
        ],
        requestBody: {
          [NDJSON]: {
            schema: { type: 'string', description: LINES },
            examples: { one: { value: `${JSON.stringify(EXAMPLE)}\n` } },
          },
        },
        responses: answers('How many were published.', 'ImportOutcome'),
        errors: { ...importErrors, ...BODY_ERRORS },
      },
    },
  ];
}

async function postExport(request: Request, response: Response, transfer: TransferDesk) {
  readQuery(request, []);
  const queue = String(request.params['queue']);
  const asked = exportIn(queue, await readJsonBody(request, MAX_BODY_BYTES));
  const gone = new AbortController();
  const onClose = () => gone.abort();
  response.on('close', onClose);
  const writer = new NdjsonWriter(response);
  const by = whoAsks(request, response);
  try {
    const problem = await transfer.export(asked, by, async (one) => writer.add(one), gone.signal);
    writer.end(problem === undefined);
  } catch (error) {
    if (!writer.isBegun) writer.discard();
    else return writer.end(false);
    throw error;
  } finally {
    response.off('close', onClose);
  }
}

async function postImport(request: Request, response: Response, transfer: TransferDesk) {
  const { toQueue, reason } = readQuery(request, ['toQueue', 'reason']);
  if (toQueue !== undefined && toQueue !== 'true') {
    throw badFields([{ field: 'query.toQueue', message: 'expected true, or nothing' }]);
  }
  checkMediaType(request, [NDJSON]);
  const records = recordsIn(await readBody(request, MAX_IMPORT_BYTES));
  const what = { records, toQueue: toQueue === 'true', reason };
  const { imported, problems } = await transfer.import(what, whoAsks(request, response));
  answerJson(response, { imported, of: records.length, problems });
}

/** @throws HttpError 400 that names the line */
function recordsIn(body: Buffer): LetterRecord[] {
  const splitter = new LineSplitter(MAX_IMPORT_BYTES);
  const lines = [...splitter.push(body), ...splitter.end()];
  if (lines.length === 0) throw badFields([{ field: 'body', message: 'has no line' }]);
  return lines.map((line, at) => {
    try {
      return parseLetterRecord(String(line));
    } catch (error) {
      throw badFields([{ field: `line ${at + 1}`, message: (error as Error).message }]);
    }
  });
}
