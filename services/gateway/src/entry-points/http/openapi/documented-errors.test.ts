import {
  BrokerBlockedError,
  BrokerUnavailableError,
  HeaderInvalidError,
  OptionNeedsStoreError,
  PayloadInvalidError,
  PayloadTooLargeError,
  PublishBufferFullError,
  PublishRefusedError,
  PublishTimeoutError,
  QueueFullError,
  ShuttingDownError,
  StoreUnavailableError,
  UnknownJobTypeError,
  UnroutableError,
} from '@warren/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  IdempotencyConflictError,
  OutboxFullError,
} from '../../../domain/outbox/acceptance-errors.ts';
import { documentedAnswers } from '../../../fixtures/documented.ts';
import { postJob } from '../../../fixtures/post-job.ts';
import { type RunningApp, runApp } from '../../../fixtures/running-app.ts';

const UNROUTABLE = new UnroutableError('jobs', 't', 'NO_ROUTE');
/** What only keys can meet; those of single items too. */
const OF_ITEM_KEYS = [new OptionNeedsStoreError('unique'), new StoreUnavailableError('refused')];
const OF_KEYS = [new IdempotencyConflictError('i'), ...OF_ITEM_KEYS];
/** What publishing may throw; the name of one is the type of the job that provokes it. */
const FAILURES = [
  new UnknownJobTypeError('t', []),
  new PayloadInvalidError('t', [{ path: 'a', message: 'no' }]),
  new HeaderInvalidError('h', 'no'),
  new PayloadTooLargeError('t', 2, 1),
  new BrokerUnavailableError('refused'),
  new BrokerBlockedError('memory'),
  new ShuttingDownError('publish'),
  new PublishRefusedError('jobs', 't'),
  new PublishBufferFullError(1, 1),
  new PublishTimeoutError(1, 'no confirm'),
  UNROUTABLE,
  new QueueFullError('q', 1, 1),
  new OutboxFullError(1),
  new TypeError('unforeseen'),
];
/** What no event can meet. */
const OF_JOBS = [UNROUTABLE.name, 'QueueFullError', 'OutboxFullError'];
/** A route waits a minute for a body that does not come. */
const SLOW = '408 BAD_REQUEST';

let app: RunningApp;
beforeAll(async () => {
  app = await runApp({}, async ({ type, id }) => {
    const failure = [...FAILURES, ...OF_KEYS].find(({ name }) => name === type);
    if (failure) throw failure;
    return { id };
  });
});
afterAll(() => app.stop());

const item = (type: string) => ({ type, payload: {} });

/** Everything that a route can be made to answer. */
async function provoked(path: string, bodyOf: (type: string) => unknown, failures: Error[]) {
  const answers = await Promise.all([
    postJob(app.url, bodyOf('t'), {}, path),
    postJob(app.url, '{', {}, path),
    postJob(app.url, ' '.repeat(1_000_000), {}, path),
    postJob(app.url, 'text', { 'content-type': 'text/plain' }, path),
    ...failures.map(({ name }) => postJob(app.url, bodyOf(name), {}, path)),
  ]);
  return new Set(
    answers.map(({ status, body }) => (body.code ? `${status} ${body.code}` : `${status}`)),
  );
}

const ROUTES: [string, (type: string) => unknown, Error[]][] = [
  ['/v1/jobs', item, [...FAILURES, ...OF_KEYS]],
  ['/v1/events', item, FAILURES.filter((failure) => !OF_JOBS.includes(failure.name))],
  ['/v1/jobs/bulk', (type) => [item(type)], FAILURES],
];

describe('the document lists what is answered, and nothing else', () => {
  it.each(ROUTES)('%s', async (path, bodyOf, failures) => {
    const listed = new Set(await documentedAnswers(app.url, path));
    expect(listed.delete(SLOW)).toBe(true);
    // Of one item of many, the unforeseen is told as its own.
    if (path.endsWith('bulk')) expect(listed.delete('500 INTERNAL')).toBe(true);
    expect([...(await provoked(path, bodyOf, failures))].sort()).toEqual([...listed].sort());
  });

  it('of one item of many', async () => {
    const bodies = [...[...FAILURES, ...OF_ITEM_KEYS].map(({ name }) => item(name)), 7];
    const { body } = await postJob(app.url, [item('t'), ...bodies], {}, '/v1/jobs/bulk');
    const { results } = body as unknown as { results: { error?: { code: string } }[] };
    const codes = results.flatMap(({ error }) => error?.code ?? []);
    expect(codes).toHaveLength(bodies.length);
    const { components } = (await (await fetch(`${app.url}/openapi.json`)).json()) as Components;
    const { anyOf } = components.schemas.ItemResult;
    const listed = anyOf.flatMap(({ properties }) => properties.error?.properties.code.enum ?? []);
    expect([...new Set(codes)].sort()).toEqual([...listed].sort());
  });
});

interface Components {
  readonly components: {
    readonly schemas: {
      readonly ItemResult: {
        readonly anyOf: readonly {
          readonly properties: {
            readonly error?: {
              readonly properties: { readonly code: { readonly enum: string[] } };
            };
          };
        }[];
      };
    };
  };
}
