import { installedServer, type PrivateNode, startPrivateNode } from '@warren/local-broker';
import { AmqpAdmin, eventually } from '@warren/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type GatewayProcess,
  PUBLISH_TIMEOUT_MS,
  startGateway,
  takeIds,
} from './support/gateway.ts';
import { acceptedId, mailJob } from './support/http.ts';
import { acceptedIds, kindsOf, type Posted, postOne, postWhile } from './support/load.ts';

const JOBS = 1_000;
/** The deadline of a publish and of the one repetition of an unroutable one, and a busy machine. */
const ANSWERS_WITHIN_MS = 2 * PUBLISH_TIMEOUT_MS + 4_000;
const AT_ONCE_MS = 2_000;
/** Time enough to connect again in between, also on a busy machine. */
const CLOSE_EVERY_MS = 250;
/** More than are needed: the loop is stopped, or ends with the node. */
const CLOSE_TIMES = 1_000;

/** Answers while the broker is away now and then. */
const WITHOUT_BROKER = ['202', '503 BROKER_UNAVAILABLE', '503 PUBLISH_TIMEOUT'];

const root = process.env['WARREN_RABBITMQ_ROOT'] || '/';

describe.skipIf(!installedServer(root))('a gateway under faults of its broker', () => {
  let node: PrivateNode;
  let gateway: GatewayProcess;
  let admin: AmqpAdmin;
  beforeAll(async () => {
    node = await startPrivateNode();
    gateway = await startGateway(node.url);
    await node.flushDeclarations();
  });
  beforeEach(async () => {
    admin = await AmqpAdmin.connect(node.url);
    await eventually('the gateway is ready', async () => (await fetch(`${gateway.url}/readyz`)).ok);
    await admin.take(gateway.queue);
    return () => admin.close();
  });
  afterAll(async () => {
    await gateway?.dispose();
    await node?.stop();
  });

  /** Each request was answered in time, and what was accepted is in the queue. */
  async function expectNothingLost(posted: readonly Posted[], kinds: readonly string[]) {
    expect(kinds).toEqual(expect.arrayContaining(kindsOf(posted)));
    expect(Math.max(...posted.map(({ elapsedMs }) => elapsedMs))).toBeLessThan(ANSWERS_WITHIN_MS);
    const refused = posted.filter(({ status }) => status === 503);
    expect(refused.filter(({ retryAfter }) => retryAfter === null)).toEqual([]);
    const queued = await takeIds(node.url, gateway.queue);
    expect(acceptedIds(posted).length).toBeGreaterThan(0);
    expect(acceptedIds(posted).filter((id) => !queued.has(id))).toEqual([]);
  }

  it('answers each of 1,000 requests while connections are closed all the time', async () => {
    const closer = await node.closeConnectionsEvery(CLOSE_EVERY_MS, CLOSE_TIMES);
    const posted = await postWhile(
      gateway.url,
      (so) => so.length < JOBS || acceptedIds(so).length === 0,
    );
    await closer.stop();
    await expectNothingLost(posted, WITHOUT_BROKER);
    expect(gateway.program.stdout).toContain('lost the connection to the broker');
  });

  it('answers each request while the broker is restarted', async () => {
    let restarted = false;
    const posting = postWhile(
      gateway.url,
      (so) => so.length < JOBS || !restarted || so.at(-1)?.status !== 202,
    );
    await node.restart();
    restarted = true;
    const posted = await posting;
    await expectNothingLost(posted, WITHOUT_BROKER);
    expect(kindsOf(posted)).toContain('503 BROKER_UNAVAILABLE');
  });

  it('declares the exchange again when somebody deletes it under load', async () => {
    let deletion: Promise<unknown> | undefined;
    const posted = await postWhile(gateway.url, (so) => {
      if (so.length < JOBS / 4) return true;
      deletion ??= admin.run((channel) => channel.deleteExchange(gateway.names.jobs));
      return so.length < JOBS || so.at(-1)?.status !== 202;
    });
    await deletion;
    await expectNothingLost(posted, [...WITHOUT_BROKER, '503 UNROUTABLE']);
  });

  it('refuses at once while the broker has a memory alarm, and recovers', async () => {
    await node.setMemoryAlarm(true);
    // The broker says that it is blocked when somebody publishes: this one waits for its confirm.
    const first = await postOne(gateway.url, 'First');
    expect(first).toMatchObject({ status: 503, code: 'PUBLISH_TIMEOUT', retryAfter: '5' });
    expect(first.elapsedMs).toBeLessThan(ANSWERS_WITHIN_MS);
    const second = await postOne(gateway.url, 'Second');
    expect(second).toMatchObject({ status: 503, code: 'BROKER_BLOCKED', retryAfter: '5' });
    expect(second.elapsedMs).toBeLessThan(AT_ONCE_MS);
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(503);
    await node.setMemoryAlarm(false);
    const id = await eventually('a job is accepted', () => acceptedId(gateway.url, mailJob('New')));
    expect(await takeIds(node.url, gateway.queue)).toContain(id);
  });

  it('keeps what it has accepted when it is stopped in the middle of 1,000 requests', async () => {
    const stopping = await startGateway(node.url);
    let signalled = false;
    let ended = false;
    const posting = postWhile(stopping.url, (posted) => {
      if (!signalled && acceptedIds(posted).length >= JOBS / 2) {
        signalled = true;
        stopping.program.kill('SIGTERM');
      }
      return posted.length < JOBS && !ended;
    });
    expect(await stopping.program.exited).toEqual({ code: 0, signal: null });
    ended = true;
    const posted = await posting;
    const queued = await takeIds(node.url, stopping.queue);
    expect(acceptedIds(posted).length).toBeGreaterThanOrEqual(JOBS / 2);
    expect(acceptedIds(posted).filter((id) => !queued.has(id))).toEqual([]);
    expect(['202', '503 SHUTTING_DOWN', '0']).toEqual(expect.arrayContaining(kindsOf(posted)));
    expect(stopping.program.stderr).toBe('');
    await stopping.dispose();
  });
});
