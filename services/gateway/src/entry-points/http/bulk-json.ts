import type { Request, Response } from 'express';
import { acceptMany, type BulkEntry } from '../../domain/accept-bulk.ts';
import { toBulkEntry } from './bulk-entry.ts';
import type { BulkRouteOptions } from './bulk-options.ts';
import { type ItemResult, OutcomeTeller } from './bulk-outcome.ts';
import { badFields } from './http-error.ts';
import { readJsonBody } from './json-body.ts';
import { requestIdOf } from './request-rules.ts';

/** More of them take longer than a caller should wait for one answer. */
export const MAX_ITEMS = 10_000;

/** Accepts the jobs of a JSON array, and answers with what became of each, in their order. */
export async function postJsonBulk(
  request: Request,
  response: Response,
  { acceptBulk, bulkLimitBytes, stopping, onUnforeseen }: BulkRouteOptions,
): Promise<void> {
  const body = await readJsonBody(request, bulkLimitBytes);
  const items = checkItems(body);
  const results = new Array<ItemResult>(items.length);
  const teller = new OutcomeTeller(onUnforeseen);
  await acceptMany(oneBatch(items, requestIdOf(request)), acceptBulk, {
    report: (outcome) => {
      results[outcome.index] = teller.tell(outcome);
    },
    canRefuse: () => true,
    stopping,
  });
  response.set('Cache-Control', 'no-store').json({ ...teller.counts, results });
}

function checkItems(body: unknown): readonly unknown[] {
  if (!Array.isArray(body)) {
    throw badFields([{ field: 'body', message: 'expected a JSON array of jobs' }]);
  }
  if (body.length <= MAX_ITEMS) return body;
  const message = `at most ${MAX_ITEMS} items, got ${body.length}; application/x-ndjson has no such limit`;
  throw badFields([{ field: 'body', message }]);
}

async function* oneBatch(
  items: readonly unknown[],
  requestId: string | undefined,
): AsyncGenerator<Iterable<BulkEntry>> {
  yield entriesOf(items, requestId);
}

/** The items are in memory already: they count nothing. */
function* entriesOf(
  items: readonly unknown[],
  requestId: string | undefined,
): Generator<BulkEntry, void, undefined> {
  for (const item of items) yield toBulkEntry(() => item, 0, requestId);
}
