import { traceCreate } from '@warren/telemetry';
import { type CollectedSpans, collectSpans } from '@warren/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GOOD_JOB, postJob } from '../../fixtures/post-job.ts';
import { type RunningApp, runApp } from '../../fixtures/running-app.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const HEADERS = { traceparent: `00-${TRACE}-${CALLER}-01` };

let app: RunningApp;
let spans: CollectedSpans;
beforeEach(() => {
  spans = collectSpans();
});
afterEach(async () => {
  await app.stop();
  await spans.end();
});

/** An app that makes a message of each job, as the client does. */
async function runMaking(): Promise<void> {
  app = await runApp({}, async ({ id, type }) => {
    const address = { exchange: 'jobs', routingKey: type };
    traceCreate({ ...address, id, jobType: type, correlationId: undefined });
    return { id };
  });
}

describe('a request', () => {
  it.each([
    ['of one job', '/v1/jobs', GOOD_JOB, 202],
    ['of one job, spelt in another way', '/v1/jobs/', GOOD_JOB, 202],
    ['of many', '/v1/jobs/bulk', [GOOD_JOB], 200],
  ])("%s goes on with its caller's trace, and its job with that", async (_, path, body, status) => {
    await runMaking();
    const response = await fetch(`${app.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...HEADERS },
      body: JSON.stringify(body),
    });
    await response.arrayBuffer();
    expect(response.status).toBe(status);
    const [request] = await spans.named('POST /v1/jobs', 1);
    const [created] = await spans.named('create jobs:email.send', 1);
    expect(request).toMatchObject({
      name: `POST ${path.replace(/\/$/, '')}`,
      kind: 'SERVER',
      traceId: TRACE,
      parentSpanId: CALLER,
      attributes: { 'http.response.status_code': status },
    });
    expect(created).toMatchObject({ traceId: TRACE, parentSpanId: request?.spanId });
  });

  it('that is refused is no failure of ours', async () => {
    await runMaking();
    await postJob(app.url, { type: 'email.send' }, HEADERS);
    const [request] = await spans.named('POST ', 1);
    expect(request).toMatchObject({
      hasFailed: false,
      attributes: { 'http.response.status_code': 400 },
    });
  });

  it('is named by its route, not by what it asks for', async () => {
    await runMaking();
    await fetch(`${app.url}/v1/jobs/01890a5d-ac96-774b-bcce-b302099a8057?show=pii`);
    await fetch(`${app.url}/v1/nowhere/else`);
    const found = await spans.named('GET', 2);
    expect(found.map(({ name }) => name)).toEqual(['GET /v1/jobs/:id', 'GET']);
    expect(found[0]?.attributes['url.path']).toBe('/v1/jobs/01890a5d-ac96-774b-bcce-b302099a8057');
  });

  it('of a probe has none', async () => {
    await runMaking();
    await fetch(`${app.url}/healthz`);
    await fetch(`${app.url}/readyz`);
    expect(spans.all()).toEqual([]);
  });
});
