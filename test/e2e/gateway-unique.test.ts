import { sendEmail } from '@warren/catalog';
import { loadConfig, type Service } from '@warren/runtime';
import {
  eventually,
  openStoreBench,
  quietTelemetry,
  sharedBrokerUrl,
  sharedDatabaseUrl,
} from '@warren/testing';
import { createService as createTracker, trackerSettings } from '@warren/tracker';
import { createWorker, handle, type Worker } from '@warren/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from './support/gateway.ts';
import { mailJob, postJob } from './support/http.ts';

const brokerUrl = sharedBrokerUrl();

describe('requests that are one job, over HTTP', () => {
  let bench: Awaited<ReturnType<typeof openStoreBench>>;
  let env: Record<string, string>;
  let gateways: GatewayProcess[];
  let tracker: Service;
  let worker: Worker;
  /** What was run, in order. */
  const runs: { readonly id: string; readonly subject: string }[] = [];
  beforeAll(async () => {
    bench = await openStoreBench();
    const { namespace, store } = bench;
    env = { WARREN_NAMESPACE: namespace, DATABASE_URL: sharedDatabaseUrl() };
    gateways = await Promise.all([startGateway(brokerUrl, env), startGateway(brokerUrl, env)]);
    const settings = { AMQP_URL: brokerUrl, WARREN_NAMESPACE: namespace };
    tracker = createTracker(loadConfig(trackerSettings, settings), { ...quietTelemetry(), store });
    worker = createWorker({
      connection: { urls: [brokerUrl] },
      service: 'test',
      namespace,
      handlers: [
        handle(sendEmail, async ({ id, payload: { subject } }) => {
          runs.push({ id, subject });
        }),
      ],
      history: true,
      ...quietTelemetry(),
    });
    await tracker.start();
  });
  afterAll(async () => {
    await worker?.stop();
    await tracker?.stop();
    for (const gateway of gateways ?? []) await gateway.dispose();
    await bench?.dispose();
  });

  const post = async (at: number, subject: string, options: object) => {
    const { url } = gateways[at] as GatewayProcess;
    const { status, body } = await postJob(url, { ...mailJob(subject), ...options });
    expect(status, JSON.stringify(body)).toBe(202);
    return body as { id: string; duplicate?: true; replaced?: true };
  };
  const ran = (subject: string) => runs.filter((run) => run.subject === subject);
  const hasRun = (subject: string) =>
    eventually(`${subject} has run`, () => ran(subject).length > 0);

  it('makes one job of 50 at once through two gateways, and another once it has ended', async () => {
    const options = { unique: 'active', uniqueKey: 'report' };
    const throttle = { throttle: '1h' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => post(at % 2, 'One', at < 25 ? options : throttle)),
    );
    const made = answers.filter(({ duplicate }) => !duplicate);
    expect(made).toHaveLength(2);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(2);

    await worker.start();
    await hasRun('One');
    await eventually('the first is known to have ended', async () => {
      return !(await post(0, 'One', options)).duplicate;
    });
    expect(await post(1, 'One', throttle)).toMatchObject({ duplicate: true });
    await eventually('the second has run', () => ran('One').length === 3);
    expect(new Set(ran('One').map(({ id }) => id)).size).toBe(3);
  });

  it('runs what the last request said, though the gateway that took it is gone', async () => {
    const options = { debounce: '5s', uniqueKey: 'save' };
    const first = await post(0, 'Draft 0', options);
    for (let at = 1; at < 6; at += 1) {
      expect(await post(at % 2, `Draft ${at}`, options)).toMatchObject({
        id: first.id,
        duplicate: true,
        replaced: true,
      });
    }
    const last = await post(0, 'Draft 6', options);
    for (const gateway of gateways) await gateway.program.stop('SIGKILL');
    expect(ran('Draft 6'), 'it waits').toEqual([]);
    gateways = [await startGateway(brokerUrl, env)];
    await hasRun('Draft 6');
    expect(runs.filter(({ subject }) => subject.startsWith('Draft'))).toEqual([
      { id: last.id, subject: 'Draft 6' },
    ]);
    expect(await post(0, 'Draft 7', { ...options, debounce: '1ms' })).not.toHaveProperty(
      'duplicate',
    );
    await hasRun('Draft 7');
  });

  it('does not put what is asked for into a job that was cancelled', async () => {
    const options = { debounce: '3s', uniqueKey: 'cancelled' };
    const { id } = await post(0, 'Cancelled', options);
    const { url } = gateways[0] as GatewayProcess;
    const cancelled = await fetch(`${url}/v1/jobs/${id}`, { method: 'DELETE' });
    expect(cancelled.status).toBe(202);
    const next = await post(0, 'Asked for', options);
    expect(next).not.toHaveProperty('duplicate');
    await hasRun('Asked for');
    await eventually('the first is cancelled', async () => {
      const job = (await (await fetch(`${url}/v1/jobs/${id}`)).json()) as { state: string };
      return job.state === 'cancelled';
    });
    expect(ran('Cancelled')).toEqual([]);
  });
});
