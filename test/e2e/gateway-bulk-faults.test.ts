import { installedServer, type PrivateNode, startPrivateNode } from '@warren/local-broker';
import { eventually, takeIds } from '@warren/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BulkReport, BulkStream } from './support/bulk.ts';
import { type GatewayProcess, startGateway } from './support/gateway.ts';
import { mailJob } from './support/http.ts';

const BATCH = 100;
const LINES = Array.from({ length: BATCH }, (_, n) => `${JSON.stringify(mailJob(`Bulk ${n}`))}\n`);
const root = process.env['WARREN_RABBITMQ_ROOT'] || '/';

describe.skipIf(!installedServer(root))('a stream of jobs under faults', () => {
  let node: PrivateNode;
  let gateway: GatewayProcess;
  beforeAll(async () => {
    node = await startPrivateNode();
    gateway = await startGateway(node.url);
    await node.flushDeclarations();
  });
  afterAll(async () => {
    await gateway?.dispose();
    await node?.stop();
  });

  /** Writes as long as `more` says so, or until the answer has ended. */
  async function writeWhile(stream: BulkStream, more: () => boolean): Promise<BulkReport> {
    while (more() && !stream.isOver) await stream.write(LINES.join(''));
    return stream.end();
  }

  async function expectNothingLost({ ids }: BulkReport, queue: string): Promise<void> {
    const queued = new Set(await takeIds(node.url, queue));
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter((id) => !queued.has(id))).toEqual([]);
  }

  it('has an error for each item while the broker is restarted, and goes on afterwards', async () => {
    const stream = new BulkStream(gateway.url);
    let restarted: Promise<number> | undefined;
    let idsBefore = Number.POSITIVE_INFINITY;
    const report = await writeWhile(stream, () => {
      if (stream.ids.length >= 1_000) {
        restarted ??= node.restart().then(() => {
          idsBefore = stream.ids.length;
          return idsBefore;
        });
      }
      return stream.ids.length < idsBefore + 1_000;
    });
    await restarted;
    expect(report.codes).toContain('BROKER_UNAVAILABLE');
    expect(['BROKER_UNAVAILABLE', 'PUBLISH_TIMEOUT']).toEqual(
      expect.arrayContaining([...new Set(report.codes)]),
    );
    expect(report.last).toEqual({ accepted: report.ids.length, rejected: report.codes.length });
    await expectNothingLost(report, gateway.queue);
  });

  it('is refused at once, as a whole, while the broker is away', async () => {
    await node.kill();
    await eventually('the gateway knows', async () => !(await fetch(`${gateway.url}/readyz`)).ok);
    const response = await fetch(`${gateway.url}/v1/jobs/bulk`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: LINES.join(''),
    });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.json()).toMatchObject({ code: 'BROKER_UNAVAILABLE' });
    await node.restart();
    await eventually('the gateway is ready', async () => (await fetch(`${gateway.url}/readyz`)).ok);
  });

  it('is ended by a shutdown; every id that was answered is in the queue', async () => {
    // Longer than a busy machine may take: no answer may be missing but for the shutdown.
    const stopping = await startGateway(node.url, { PUBLISH_TIMEOUT_SECONDS: '20' });
    const stream = new BulkStream(stopping.url);
    let signalled = false;
    const report = await writeWhile(stream, () => {
      if (!signalled && stream.ids.length >= 1_000) {
        signalled = true;
        stopping.program.kill('SIGTERM');
      }
      return true;
    });
    expect(await stopping.program.exited).toEqual({ code: 0, signal: null });
    expect(new Set(report.codes)).toEqual(new Set(['SHUTTING_DOWN']));
    expect(report.last).toMatchObject({
      accepted: report.ids.length,
      rejected: report.codes.length,
      error: { code: 'SHUTTING_DOWN' },
    });
    expect(stopping.program.stderr).toBe('');
    await expectNothingLost(report, stopping.queue);
    await stopping.dispose();
  });
});
