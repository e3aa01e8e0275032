import { HEADERS, newJobId } from '@warren/contracts';
import { HistoryWriter } from '@warren/history';
import type { Store } from '@warren/store';
import { eventually, quietTelemetry } from '@warren/testing';
import { expect, it, type TestContext } from 'vitest';
import { rebuild } from './support/rebuilding.ts';
import { base, inState, reaches, setUp } from './support/tracked.ts';

type Here = Awaited<ReturnType<typeof setUp>>;

/** The ends of jobs happen while the history cannot be written, and are more than its writer holds. */
async function loseEnds({ broker, topology }: Here, ids: readonly string[]) {
  const publisher = {
    isOpen: false,
    refusal: () => undefined,
    publish: broker.publisher.publish.bind(broker.publisher),
  };
  const writer = new HistoryWriter({
    publisher,
    exchange: topology.names.lifecycle,
    service: 'worker',
    limits: { maxEvents: 1 },
    ...quietTelemetry(),
  });
  const other = { ...base(newJobId()), queue: 'other.queue' };
  writer.record({ ...other, attempt: 1, kind: 'queued', service: 's' });
  for (const id of ids) {
    const end = { kind: 'succeeded', durationMs: 1 } as const;
    writer.record({ ...base(id, newJobId()), attempt: 1, ...end });
  }
  publisher.isOpen = true;
  await writer.close();
}

/** A dead letter as a worker leaves it. */
async function leaveDead({ onTestFinished }: TestContext, { topology, admin }: Here, id: string) {
  const queue = topology.names.deadQueue('email.send');
  await admin.run((channel) =>
    channel.assertQueue(queue, { arguments: { 'x-queue-type': 'quorum' } }),
  );
  onTestFinished(async () => {
    await admin.run((channel) => channel.deleteQueue(queue));
  });
  const headers = {
    [HEADERS.deadReason]: 'attempts_exhausted',
    [HEADERS.attempt]: 3,
    [HEADERS.error]: 'attempt 3: SmtpError: 550 no such mailbox\n    at send (smtp.ts:1:1)',
  };
  const options = { messageId: id, type: 'email.send', headers, persistent: true };
  await admin.publish('', queue, '{}', options);
}

const jobOf = async (store: Store, id: string) => (await store.jobs.find(id))[0];

it('says of which jobs something may be missing, finds out what it can, and takes back what is told later', async (context) => {
  const here = await setUp(context);
  const { bench, namespace, track, tell } = here;
  const { store } = bench;
  const [done, dead, open, later] = Array.from({ length: 4 }, () => newJobId()) as [
    string,
    string,
    string,
    string,
  ];
  const queued = (id: string) =>
    ({ ...base(id), attempt: 1, kind: 'queued', service: 'gateway' }) as const;
  await tell([queued(done), queued(dead), queued(open)]);
  await loseEnds(here, [done, dead, open]);
  await tell([{ ...queued(later), atMs: Date.now() + 1 }]);
  const claim = await store.claims.claim({
    queue: 'email.send',
    id: done,
    owner: 'w',
    leaseMs: 60_000,
  });
  const token = claim.kind === 'claimed' ? claim.token : 0;
  await store.claims.complete({ queue: 'email.send', id: done, token, result: { sent: 1 } });
  await leaveDead(context, here, dead);

  const tracked = await track();
  await inState(store, done, 'succeeded');
  expect(await jobOf(store, done)).toMatchObject({ result: { sent: 1 }, uncertain: undefined });
  await inState(store, dead, 'dead');
  expect(await jobOf(store, dead)).toMatchObject({
    reason: 'attempts_exhausted',
    error: { name: 'SmtpError', message: '550 no such mailbox' },
    uncertain: undefined,
  });
  const doubt = /^events of its queue were lost until .*Z: it may have gone on, or ended$/;
  expect(await jobOf(store, open)).toMatchObject({
    state: 'queued',
    uncertain: expect.stringMatching(doubt) as string,
  });
  expect((await jobOf(store, later))?.uncertain).toBeUndefined();
  await reaches(tracked, 'jobs_tracker_settled_total', 2);
  await reaches(tracked, 'jobs_tracker_uncertain', 1);

  expect(await rebuild(namespace)).toMatchObject({ code: 0 });
  expect((await jobOf(store, open))?.uncertain).toMatch(doubt);
  const run = newJobId();
  await tell([{ ...base(open, run), attempt: 1, kind: 'started', worker: 'w', atMs: Date.now() }]);
  await eventually('it runs, for sure', async () => {
    const job = await jobOf(store, open);
    return job?.state === 'running' && job.uncertain === undefined;
  });
});

it('says of an accepted job that nobody has that it is so', async (context) => {
  const { bench } = await setUp(context);
  const id = newJobId();
  const accept = (atMs: number) =>
    bench.store.projection.apply([
      { ...base(id), atMs, attempt: 1, kind: 'accepted', service: 'gateway' },
    ]);
  await accept(Date.now() - 120_000);
  expect((await jobOf(bench.store, id))?.uncertain).toContain('has left the outbox');
  expect(await bench.store.projection.doubtful({ limit: 9 })).toMatchObject([{ id }]);
  await accept(Date.now());
  expect((await jobOf(bench.store, id))?.uncertain).toBeUndefined();
});
