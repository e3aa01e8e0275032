import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Jobs } from '@warren/client';
import { newJobId } from '@warren/contracts';
import { canStartPrivateNode, type PrivateNode, startPrivateNode } from '@warren/local-broker';
import { anyJob, endingOf, eventually, type Installation, install, takeIds } from '@warren/testing';
import { handle } from '@warren/worker';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const MAX_MESSAGE_BYTES = 200_000;
const job = anyJob('probe.run');

let node: PrivateNode;
let here: Installation;
beforeAll(async () => {
  node = await startPrivateNode({ extraConfig: `max_message_size = ${MAX_MESSAGE_BYTES}` });
});
afterAll(async () => node?.stop());
beforeEach(async () => {
  here = await install([job], { url: node.url });
});
afterEach(() => here.dispose());

const taken = async () => new Set(await takeIds(node.url, here.topology.names.workQueue(job.type)));

/** A client that is connected, so that what follows meets a fault and not a start. */
async function connected(publish: { timeoutMs?: number; maxWaitMs?: number } = {}): Promise<Jobs> {
  const jobs = await here.connect({ publish });
  await jobs.publish(job, 'first', { timeoutMs: 30_000 });
  await taken();
  return jobs;
}

/** Keeps `inFlight` publishes under way until `fault` is over and the last of them is answered. */
async function publishDuring(jobs: Jobs, fault: Promise<unknown>, inFlight: number) {
  const accepted: string[] = [];
  const refused: Record<string, number> = {};
  let over = false;
  void fault.finally(() => {
    over = true;
  });
  const publishOneByOne = async () => {
    while (!over) {
      const id = newJobId();
      const ending = await endingOf(jobs.publish(job, id, { id }));
      if (ending === 'ok') accepted.push(id);
      else refused[ending] = (refused[ending] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, publishOneByOne));
  await fault;
  return { accepted, refused };
}

describe.skipIf(!canStartPrivateNode())('connections that close under publishes', () => {
  it('lose no accepted job, and every publish is answered', async () => {
    const jobs = await connected({ timeoutMs: 30_000, maxWaitMs: 30_000 });
    const closing = node.closeAllConnections('closed by the test');
    const { accepted, refused } = await publishDuring(jobs, closing, 1_000);
    const lost = here.lines.filter(({ msg }) => String(msg).includes('lost the connection'));
    expect(lost).toHaveLength(1);
    expect(refused).toEqual({});
    expect(accepted.length).toBeGreaterThanOrEqual(1_000);
    const found = await taken();
    expect(accepted.filter((id) => !found.has(id))).toEqual([]);
  });
});

describe.skipIf(!canStartPrivateNode())('a broker that stops and starts', () => {
  it('has what was accepted, and nothing that was refused', async () => {
    const patient = await connected({ maxWaitMs: 60_000, timeoutMs: 60_000 });
    const impatient = await here.connect({ publish: { maxWaitMs: 0 } });
    await eventually('it is connected', () => impatient.readiness().ready);
    await node.ctl('stop_app');
    await eventually('the clients noticed', () => !impatient.readiness().ready);
    const ids = [newJobId(), newJobId()] as const;
    const waiting = patient.publish(job, 1, { id: ids[0] });
    expect(await endingOf(impatient.publish(job, 2, { id: ids[1] }))).toBe('BROKER_UNAVAILABLE');
    await node.ctl('start_app');
    expect(await waiting).toEqual({ id: ids[0] });
    await eventually('the client is back', () => impatient.readiness().ready);
    const { id } = await impatient.publish(job, 3);
    expect(await taken()).toEqual(new Set([ids[0], id]));
  });
});

describe.skipIf(!canStartPrivateNode())('a broker that does not answer', () => {
  it('makes publishes end in time as unknown; the same id can be published again', async () => {
    const jobs = await connected();
    const id = newJobId();
    await node.pause();
    try {
      const startedAtMs = Date.now();
      await expect(jobs.publish(job, 1, { id, timeoutMs: 500 })).rejects.toMatchObject({
        code: 'PUBLISH_TIMEOUT',
        message: expect.stringMatching(/within 500 ms.*may be queued/),
      });
      expect(Date.now() - startedAtMs).toBeLessThan(5_000);
    } finally {
      node.resume();
    }
    expect(await jobs.publish(job, 1, { id })).toEqual({ id });
    expect(await taken()).toEqual(new Set([id]));
  });

  it('does not hold up a close for longer than the publishes under way may take', async () => {
    const jobs = await connected({ timeoutMs: 500 });
    await node.pause();
    try {
      const publishing = Array.from({ length: 10 }, (_, n) => endingOf(jobs.publish(job, n)));
      const startedAtMs = Date.now();
      await jobs.close();
      expect(Date.now() - startedAtMs).toBeLessThan(10_000);
      expect(new Set(await Promise.all(publishing))).toEqual(new Set(['PUBLISH_TIMEOUT']));
    } finally {
      node.resume();
    }
  });
});

describe.skipIf(!canStartPrivateNode())('a memory alarm', () => {
  it('refuses publishes quickly and by name, lets consumers go on, and leaves no trace', async () => {
    const jobs = await connected();
    const sent = await Promise.all(Array.from({ length: 50 }, (_, n) => jobs.publish(job, n)));
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const handled = new Set<string>();
    const run = handle(job, async ({ id }) => {
      await held;
      handled.add(id);
    });
    const worker = await here.work([run]);
    await node.setMemoryAlarm(true);
    try {
      const first = jobs.publish(job, 'first', { timeoutMs: 60_000 });
      await eventually('it is blocked', () => jobs.readiness().checks['broker'] !== 'ok');
      expect(jobs.readiness().checks['broker']).toMatch(/blocked.*memory/);
      const startedAtMs = Date.now();
      expect(await endingOf(jobs.publish(job, 'second'))).toBe('BROKER_BLOCKED');
      expect(Date.now() - startedAtMs).toBeLessThan(1_000);
      release();
      // More than may be out at once: the broker takes acks meanwhile.
      await eventually('all are handled', () => handled.size === sent.length);
      expect(handled).toEqual(new Set(sent.map(({ id }) => id)));
      await node.setMemoryAlarm(false);
      const { id } = await first;
      await eventually('the first is handled', () => handled.has(id));
    } finally {
      await node.setMemoryAlarm(false);
    }
    const { id } = await jobs.publish(job, 'third');
    await eventually('the third is handled', () => handled.has(id));
    expect(handled.size).toBe(52);
    await worker.stop();
    expect(await taken()).toEqual(new Set());
  });
});

describe.skipIf(!canStartPrivateNode())('messages over the limit of the broker itself', () => {
  it('are refused by size, and their neighbours are confirmed', async () => {
    const jobs = await connected();
    const sizes = Array.from({ length: 120 }, (_, n) =>
      n % 20 === 10 ? MAX_MESSAGE_BYTES + n : n,
    );
    const endings = await Promise.all(
      sizes.map((size) => endingOf(jobs.publish(job, 'x'.repeat(size)))),
    );
    expect(endings).toEqual(
      sizes.map((size) => (size > MAX_MESSAGE_BYTES ? 'PAYLOAD_TOO_LARGE' : 'ok')),
    );
    await expect(jobs.publish(job, 'x'.repeat(MAX_MESSAGE_BYTES))).rejects.toMatchObject({
      sizeBytes: MAX_MESSAGE_BYTES + 2,
      limitBytes: MAX_MESSAGE_BYTES,
    });
    expect((await taken()).size).toBe(114);
  });
});

describe.skipIf(!canStartPrivateNode())('the end of a publisher', () => {
  it('by close: what was under way is in the queue, what comes later is refused', async () => {
    const jobs = await connected();
    const ids = Array.from({ length: 3_000 }, () => newJobId());
    const publishing = ids.map((id) => endingOf(jobs.publish(job, id, { id })));
    await publishing[0];
    const closing = jobs.close();
    const late = await Promise.all(ids.slice(0, 50).map((id) => endingOf(jobs.publish(job, id))));
    expect(new Set(late)).toEqual(new Set(['SHUTTING_DOWN']));
    await closing;
    expect(new Set(await Promise.all(publishing))).toEqual(new Set(['ok']));
    expect(await taken()).toEqual(new Set(ids));
  });

  it('by SIGKILL in the middle of a bulk: what it reported as accepted is in the queue', async () => {
    const script = `import { connectJobs } from '@warren/client';
      import { anyJob, quietTelemetry } from '@warren/testing';
      const [url, namespace] = process.argv.slice(1);
      const job = anyJob('probe.run');
      const jobs = await connectJobs({ connection: { urls: [url] }, namespace, service: 'bulk', jobs: [job], ...quietTelemetry() });
      for (let n = 0; n < 14_000; n += 1) {
        void jobs.publish(job, n, { timeoutMs: 60_000 }).then(({ id }) => process.stdout.write(id + '\\n'));
      }`;
    const args = ['--import', 'tsx', '--input-type=module', '-e', script, node.url, here.namespace];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    const reported: string[] = [];
    for await (const id of createInterface({ input: child.stdout })) {
      if (reported.push(id) === 500) child.kill('SIGKILL');
    }
    expect(await exited).toEqual([null, 'SIGKILL']);
    expect(reported.length).toBeGreaterThanOrEqual(500);
    const found = await taken();
    expect(reported.filter((id) => !found.has(id))).toEqual([]);
  });
});
