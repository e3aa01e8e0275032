import { installedServer, type PrivateNode, startPrivateNode } from '@warren/local-broker';
import { AmqpAdmin, eventually, openStoreBench, sharedDatabaseUrl } from '@warren/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from './support/gateway.ts';
import { mailJob, postJob } from './support/http.ts';

const root = process.env['WARREN_RABBITMQ_ROOT'] || '/';
const ROOM = 5;
const ID = '0198c0de-0000-7000-8000-00000000000a';

describe.skipIf(!installedServer(root))('a gateway with a store whose broker is away', () => {
  let node: PrivateNode;
  let bench: Awaited<ReturnType<typeof openStoreBench>>;
  let gateway: GatewayProcess;
  let env: Record<string, string>;
  beforeAll(async () => {
    [node, bench] = await Promise.all([startPrivateNode(), openStoreBench()]);
    env = {
      WARREN_NAMESPACE: bench.namespace,
      DATABASE_URL: sharedDatabaseUrl(),
      OUTBOX_MAX_PENDING: String(ROOM),
    };
    gateway = await startGateway(node.url, env);
    await node.flushDeclarations();
  });
  afterAll(async () => {
    // What would have to be deleted at the broker ends with its node, which may not be up yet again.
    await gateway?.dispose().catch(() => undefined);
    await node?.stop();
    await bench?.dispose();
  });

  /** What the queue holds, without what differs from job to job. */
  async function take() {
    const admin = await AmqpAdmin.connect(node.url);
    const messages = await admin.take(gateway.queue);
    await admin.close();
    return messages.map(({ content, properties, fields }) => {
      const { messageId, timestamp, ...rest } = properties;
      return { id: String(messageId), body: content.toString(), rest, key: fields.routingKey };
    });
  }

  it('accepts jobs up to a bound, outlives SIGKILL with them, and publishes them as if nothing was', async () => {
    const job = { ...mailJob('As accepted'), correlationId: 'c', headers: { tenant: 'ä', n: 1 } };
    const post = () => postJob(gateway.url, job);
    expect((await post()).status).toBe(202);
    const [direct] = await eventually('the job is queued', async () => {
      const messages = await take();
      return messages.length > 0 && messages;
    });
    // Its confirm may be on the way yet: lost with the node, it would take up room.
    await eventually('the outbox is done with it', async () => {
      return (await bench.store.outbox.pending()).count === 0;
    });
    await node.kill();
    await eventually('the gateway knows', async () => {
      const { services } = (await (await fetch(`${gateway.url}/readyz`)).json()) as {
        services: { gateway: { checks: Record<string, string> } };
      };
      return services.gateway.checks['broker'] !== 'ok';
    });
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
    const accepted = [await postJob(gateway.url, { ...job, id: ID })];
    while (accepted.length < ROOM) accepted.push(await post());
    expect(accepted.map(({ status }) => status)).toEqual(Array(ROOM).fill(202));
    const full = await eventually('the outbox is full', async () => {
      const answer = await post();
      if (answer.status === 202) accepted.push(answer);
      return answer.status === 503 && answer;
    });
    expect([full.body.code, full.headers.get('retry-after')]).toEqual(['OUTBOX_FULL', '5']);
    const waiting = await fetch(`${gateway.url}/v1/jobs/${ID}`);
    expect(await waiting.json()).toMatchObject({ state: 'accepted', correlationId: 'c' });

    await gateway.program.stop('SIGKILL');
    await node.restart();
    gateway = await startGateway(node.url, env);
    const queued: Awaited<ReturnType<typeof take>> = [];
    await eventually('all are queued', async () => {
      queued.push(...(await take()));
      return queued.length >= accepted.length;
    });
    expect(queued.map(({ id }) => id)).toEqual(accepted.map(({ body }) => body.id));
    for (const { id, ...message } of queued)
      expect({ ...message, id: '' }).toEqual({ ...direct, id: '' });
  });

  it('stops in time while the broker does not answer, and leaves what it accepted to the next one', async () => {
    await gateway.program.stop();
    const brief = { ...env, SHUTDOWN_GRACE_SECONDS: '2' };
    gateway = await startGateway(node.url, brief);
    await postJob(gateway.url, mailJob('First'));
    await eventually('it publishes', async () => (await take()).length > 0);
    await node.pause();
    const { status, body } = await postJob(gateway.url, mailJob('Not answered yet'));
    const exit = await gateway.program.stop();
    node.resume();
    expect([status, exit]).toEqual([202, { code: 0, signal: null }]);
    gateway = await startGateway(node.url, env);
    await eventually('it is queued', async () => (await take()).some(({ id }) => id === body.id));
  });
});
