import { once } from 'node:events';
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { createServer } from 'node:net';
import { ConfigInvalidError } from '@warren/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { GOOD_JOB, postJob } from '../../fixtures/post-job.ts';
import { BODY_LIMIT_BYTES, type RunningApp, runApp } from '../../fixtures/running-app.ts';
import { createHttpServer } from './server.ts';

let app: RunningApp;
afterEach(() => app?.stop());

const json = { 'content-type': 'application/json' };

function post(options: RequestOptions) {
  const sent = request({
    host: '127.0.0.1',
    port: app.port,
    path: '/v1/jobs',
    method: 'POST',
    ...options,
  });
  sent.on('error', () => undefined);
  const response = once(sent, 'response').then(([message]) => message as IncomingMessage);
  return { sent, response };
}

async function textOf(message: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of message) text += String(chunk);
  return text;
}

/** A port `accept` that waits until it is told to go on. */
function gate() {
  let open = (): void => undefined;
  let entered = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    entered = resolve;
  });
  const accept = async ({ id }: { id: string }) => {
    entered();
    await opened;
    return { id };
  };
  return { accept, open: () => open(), reached };
}

describe('a body over the limit', () => {
  it('is refused by its Content-Length before any of it is sent', async () => {
    app = await runApp();
    const { sent, response } = post({ headers: { ...json, 'content-length': 1_000_000_000 } });
    sent.flushHeaders();
    const answer = await response;
    expect(answer.statusCode).toBe(413);
    expect(answer.headers.connection).toBe('close');
    expect(JSON.parse(await textOf(answer)).code).toBe('PAYLOAD_TOO_LARGE');
  });

  it('without Content-Length, is refused as soon as it is too long, and the connection is closed', async () => {
    app = await runApp();
    const { sent, response } = post({ headers: json });
    sent.write(Buffer.alloc(BODY_LIMIT_BYTES + 1, ' '));
    const answer = await response;
    expect(answer.statusCode).toBe(413);
    const closed = once(sent, 'close');
    expect(JSON.parse(await textOf(answer)).errors[0].field).toBe('body');
    await closed;
  });

  it('is not asked for where the client asks first', async () => {
    app = await runApp();
    const headers = { ...json, expect: '100-continue', 'content-length': BODY_LIMIT_BYTES + 1 };
    const { sent, response } = post({ headers });
    let continued = false;
    sent.on('continue', () => {
      continued = true;
    });
    expect((await response).statusCode).toBe(413);
    expect(continued).toBe(false);
  });

  it('is asked for where it is within the limit', async () => {
    app = await runApp();
    const body = JSON.stringify(GOOD_JOB);
    const headers = { ...json, expect: '100-continue', 'content-length': body.length };
    const { sent, response } = post({ headers });
    sent.on('continue', () => sent.end(body));
    expect((await response).statusCode).toBe(202);
  });
});

describe('stopping', () => {
  it('finishes a request in flight and closes its keep-alive connection', async () => {
    const { accept, open, reached } = gate();
    app = await runApp({}, accept);
    const agent = new Agent({ keepAlive: true });
    const { sent, response } = post({ headers: json, agent });
    sent.end(JSON.stringify(GOOD_JOB));
    await reached;
    app.server.stopAccepting();
    await expect(fetch(app.url)).rejects.toThrow();
    open();
    const answer = await response;
    expect(answer.statusCode).toBe(202);
    expect(answer.headers.connection).toBe('close');
    answer.resume();
    await app.server.drained(10_000);
    agent.destroy();
  });

  it('cuts what is not answered within the grace time', async () => {
    const { accept, reached } = gate();
    app = await runApp({}, accept);
    const { sent, response } = post({ headers: json });
    sent.end(JSON.stringify(GOOD_JOB));
    await reached;
    const failed = expect(response).rejects.toThrow();
    app.server.stopAccepting();
    await app.server.drained(10);
    await failed;
  });

  it('closes idle connections at once', async () => {
    app = await runApp();
    const agent = new Agent({ keepAlive: true });
    const { sent, response } = post({ headers: json, agent });
    sent.end(JSON.stringify(GOOD_JOB));
    await textOf(await response);
    app.server.stopAccepting();
    await app.server.drained(60_000);
    agent.destroy();
  });

  it('answers 503 and closes the connection for requests that still come', async () => {
    app = await runApp({ stopping: AbortSignal.abort() });
    const answer = await postJob(app.url, GOOD_JOB);
    expect(answer.status).toBe(503);
    expect(answer.body.code).toBe('SHUTTING_DOWN');
    expect(answer.headers.get('connection')).toBe('close');
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(app.accepted).toEqual([]);
  });
});

describe('a client that goes away in the middle of its body', () => {
  it('publishes nothing and leaves the gateway running', async () => {
    app = await runApp();
    const { sent, response } = post({ headers: { ...json, 'content-length': 1_000 } });
    const failed = expect(response).rejects.toThrow();
    sent.write('{"type":', () => sent.destroy());
    await failed;
    expect((await postJob(app.url, GOOD_JOB)).status).toBe(202);
    expect(app.accepted).toHaveLength(1);
  });
});

describe('listening', () => {
  it('names PORT where it is in use', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as { port: number };
    const server = createHttpServer(() => undefined, { bodyLimitBytes: 1, bulkLimitBytes: 1 });
    const failed = server.listen(port, '127.0.0.1');
    await expect(failed).rejects.toThrow(ConfigInvalidError);
    await expect(failed).rejects.toMatchObject({ setting: 'PORT' });
    holder.close();
  });

  it('names HOST where it is no address of this machine', async () => {
    const failed = createHttpServer(() => undefined, {
      bodyLimitBytes: 1,
      bulkLimitBytes: 1,
    }).listen(0, '192.0.2.1');
    await expect(failed).rejects.toMatchObject({ setting: 'HOST' });
  });
});
