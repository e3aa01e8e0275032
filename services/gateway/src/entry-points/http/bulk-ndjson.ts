import type { Request, Response } from 'express';
import { acceptMany, type BulkEntry } from '../../domain/accept-bulk.ts';
import { bodyChunks, ClientGoneError } from './body-chunks.ts';
import { lineToBulkEntry } from './bulk-entry.ts';
import type { BulkRouteOptions } from './bulk-options.ts';
import { OutcomeTeller } from './bulk-outcome.ts';
import { lingerThen } from './linger.ts';
import { type Line, LineSplitter } from './ndjson-lines.ts';
import { NdjsonWriter } from './ndjson-writer.ts';
import { requestIdOf } from './request-rules.ts';

/**
 * Accepts jobs line by line and answers line by line, as it becomes known what became of each; a last line has the counts,
 * and says what broke the stream off, if something did. Rejects while nothing has been answered.
 */
export async function postNdjsonBulk(
  request: Request,
  response: Response,
  options: BulkRouteOptions,
): Promise<void> {
  const writer = new NdjsonWriter(response);
  const teller = new OutcomeTeller(options.onUnforeseen);
  let brokenOff: unknown;
  try {
    await acceptMany(entriesOf(request, writer, options), options.acceptBulk, {
      report: (outcome) => writer.add(teller.tell(outcome)),
      canRefuse: () => !writer.isBegun,
      stopping: options.stopping,
    });
  } catch (error) {
    if (error instanceof ClientGoneError) return;
    if (!writer.isBegun && teller.isNothingPublished) {
      writer.discard();
      throw error;
    }
    brokenOff = error;
  }
  const error = brokenOff === undefined ? {} : { error: teller.errorOf(brokenOff) };
  void writer.add({ ...teller.counts, ...error });
  writer.flush();
  lingerThen(request, () => response.end());
}

/** Of each chunk the entries of its lines; each is made when it is asked for. */
async function* entriesOf(
  request: Request,
  writer: NdjsonWriter,
  { bodyLimitBytes, stopping }: BulkRouteOptions,
): AsyncGenerator<Iterable<BulkEntry>, void, undefined> {
  const splitter = new LineSplitter(bodyLimitBytes);
  const requestId = requestIdOf(request);
  const entries = function* (lines: readonly Line[]): Generator<BulkEntry, void, undefined> {
    for (const line of lines) {
      if (writer.isGone) throw new ClientGoneError();
      yield lineToBulkEntry(line, bodyLimitBytes, requestId);
    }
  };
  for await (const chunk of bodyChunks(request, stopping)) yield entries(splitter.push(chunk));
  yield entries(splitter.end());
}
