import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { BrokerUnavailableError } from '@warren/contracts';
import { eventually } from '@warren/testing';
import { afterEach, describe, expect, it } from 'vitest';
import type { JobRequest } from '../../domain/accept-job.ts';
import { postLines } from '../../fixtures/post-bulk.ts';
import { BODY_LIMIT_BYTES, type RunningApp, runApp } from '../../fixtures/running-app.ts';

let app: RunningApp;
afterEach(() => app.stop());

const job = (n: number) => ({ type: 't', payload: { n } });
const line = (n: number) => `${JSON.stringify(job(n))}\n`;
const numberOf = ({ payload }: JobRequest) => (payload as { n: number }).n;

/** A request whose body is written, and whose answer is read, bit by bit. */
function open(): { sent: ClientRequest; answered: Promise<IncomingMessage> } {
  const headers = { 'content-type': 'application/x-ndjson' };
  const { port } = app;
  const sent = request({ host: '127.0.0.1', port, path: '/v1/jobs/bulk', method: 'POST', headers });
  sent.on('error', () => undefined);
  return { sent, answered: once(sent, 'response').then(([answer]) => answer as IncomingMessage) };
}

const linesOf = (answer: IncomingMessage) =>
  createInterface({ input: answer })[Symbol.asyncIterator]();

describe('a stream of jobs', () => {
  it('is answered line by line, and with the counts at last', async () => {
    app = await runApp();
    const { status, headers, lines } = await postLines(app.url, [job(0), '', 'no JSON', job(1), 7]);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const ids = app.accepted.map(({ id }) => id);
    expect(lines).toHaveLength(5);
    expect(lines).toEqual(
      expect.arrayContaining([
        { index: 0, id: ids[0] },
        { index: 1, error: expect.objectContaining({ code: 'BAD_REQUEST' }) },
        { index: 2, id: ids[1] },
        { index: 3, error: expect.objectContaining({ code: 'BAD_REQUEST' }) },
      ]),
    );
    expect(lines.at(-1)).toEqual({ accepted: 2, rejected: 2 });
  });

  it('has a line that is too long as that line’s error', async () => {
    app = await runApp();
    const long = JSON.stringify({ type: 't', payload: 'x'.repeat(BODY_LIMIT_BYTES) });
    const { lines } = await postLines(app.url, [long, job(1), long]);
    expect(lines.at(-1)).toEqual({ accepted: 1, rejected: 2 });
    expect(lines).toContainEqual({
      index: 0,
      error: expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }),
    });
  });

  it('may be empty', async () => {
    app = await runApp();
    expect((await postLines(app.url, [])).lines).toEqual([{ accepted: 0, rejected: 0 }]);
  });

  it('has each answer as soon as it is known, while the request goes on', async () => {
    app = await runApp();
    const { sent, answered } = open();
    sent.write(line(0));
    const lines = linesOf(await answered);
    expect(JSON.parse((await lines.next()).value)).toEqual({ index: 0, id: app.accepted[0]?.id });
    sent.write(line(1));
    expect(JSON.parse((await lines.next()).value)).toMatchObject({ index: 1 });
    sent.end('nonsense');
    expect(JSON.parse((await lines.next()).value)).toMatchObject({ index: 2, error: {} });
    expect(JSON.parse((await lines.next()).value)).toEqual({ accepted: 2, rejected: 1 });
    expect((await lines.next()).done).toBe(true);
  });
});

describe('a stream whose broker is away', () => {
  it('is refused as a whole while nothing is answered', async () => {
    app = await runApp({}, () => Promise.reject(new BrokerUnavailableError('refused')));
    const { status, headers, lines } = await postLines(app.url, ['no JSON', job(0), job(1)]);
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('5');
    expect(lines).toMatchObject([{ code: 'BROKER_UNAVAILABLE', status: 503 }]);
    expect(app.accepted).toHaveLength(1);
  });

  it('has an error for each line that comes later', async () => {
    app = await runApp({}, async (asked) => {
      if (numberOf(asked) > 0) throw new BrokerUnavailableError('reset');
      return { id: asked.id };
    });
    const { status, lines } = await postLines(app.url, [job(0), job(1), job(2)]);
    expect(status).toBe(200);
    expect(lines.at(-1)).toEqual({ accepted: 1, rejected: 2 });
  });
});

describe('a client', () => {
  it('that goes away half-way is not read any further; what was published stays', async () => {
    app = await runApp();
    const { sent, answered } = open();
    sent.write(line(0));
    const lines = linesOf(await answered);
    await lines.next();
    sent.write(`${line(1)}{"type":`);
    await eventually('the second job', () => app.accepted.length === 2);
    sent.destroy();
    await eventually('the end of the request', () => app.log().includes('"finished":false'));
    expect(app.accepted.map(numberOf)).toEqual([0, 1]);
    expect((await postLines(app.url, [job(2)])).lines).toHaveLength(2);
  });

  it('that reads slowly slows the reading of its request down', async () => {
    app = await runApp();
    const { sent, answered } = open();
    sent.write(line(0));
    const answer = await answered;
    answer.pause();
    const count = await writeUntilStuck(sent, WORDY);
    expect(count).toBeLessThan(MANY);
    sent.end();
    let last = '';
    for await (const text of createInterface({ input: answer })) last = text;
    expect(JSON.parse(last)).toEqual({ accepted: 1, rejected: count });
  });
});

/** A line of about 2 KiB that is answered with about 8 KiB. */
const WORDY = `${JSON.stringify(
  Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${i}`.padEnd(100, 'x'), 0])),
)}\n`;
/** More than all buffers on the way can hold. */
const MANY = 20_000;

/** Writes lines until nothing moves for a while, or MANY of them; how many. */
async function writeUntilStuck(sent: ClientRequest, text: string): Promise<number> {
  for (let count = 1; count < MANY; count += 1) {
    if (sent.write(text)) continue;
    const isStuck = await once(sent, 'drain', { signal: AbortSignal.timeout(1_000) }).then(
      () => false,
      () => true,
    );
    if (isStuck) return count;
  }
  return MANY;
}

describe('stopping', () => {
  it('answers what still comes with an error, and ends a stream that does not end', async () => {
    const stopping = new AbortController();
    app = await runApp({ stopping: stopping.signal });
    const { sent, answered } = open();
    sent.write(line(0));
    const lines = linesOf(await answered);
    await lines.next();
    stopping.abort();
    sent.write(line(1));
    expect(JSON.parse((await lines.next()).value)).toMatchObject({
      index: 1,
      error: { code: 'SHUTTING_DOWN' },
    });
    expect(JSON.parse((await lines.next()).value)).toMatchObject({
      accepted: 1,
      rejected: 1,
      error: { code: 'SHUTTING_DOWN' },
    });
    expect((await lines.next()).done).toBe(true);
    expect(app.accepted).toHaveLength(1);
    sent.destroy();
  });
});
