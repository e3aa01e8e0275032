import { newJobId } from '@warren/contracts';
import type { Leases, LeaseTake, OutboxMessage } from '@warren/store';
import { eventually, testStores } from '@warren/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const QUEUE = 'video.encode';
const HOUR_MS = 3_600_000;

const messageOf = (id: string, body = '{"n":1}'): OutboxMessage => ({
  id,
  exchange: 'jobs.due',
  routingKey: QUEUE,
  body: Buffer.from(body),
  properties: { messageId: id, headers: { tenant: 'a\0', raw: Buffer.from([0, 255]) } },
});

const jobOf = (id: string, more: Partial<Parameters<Leases['take']>[0]> = {}) => ({
  queue: QUEUE,
  owner: 'w',
  request: newJobId(),
  leaseMs: HOUR_MS,
  generation: 0,
  attempt: 1,
  message: messageOf(id),
  ...more,
});

const tokenOf = (take: LeaseTake) => (take.kind === 'taken' ? take.token : 0);
const sweep = { queue: QUEUE, from: QUEUE, owner: 'sweeper', leaseMs: HOUR_MS, limit: 100 };

testStores({ describe, beforeAll, afterAll }, (bench) => {
  it('gives a job to one run at a time, and knows the copies that are not needed', async () => {
    const { leases } = bench.store;
    const { leases: elsewhere } = await bench.open();
    const id = newJobId();
    const takes = await Promise.all(
      Array.from({ length: 10 }, (_, n) => (n % 2 ? leases : elsewhere).take(jobOf(id))),
    );
    const [taken, ...others] = takes.filter(({ kind }) => kind === 'taken');
    expect([others, taken]).toEqual([
      [],
      { kind: 'taken', token: expect.any(Number), crashes: 0, checkpoint: undefined },
    ]);
    expect(takes.filter(({ kind }) => kind === 'duplicate')).toHaveLength(9);
    const later = await leases.take(jobOf(id, { attempt: 2 }));
    expect(later).toEqual({ kind: 'busy', leaseEndsAtMs: expect.any(Number) });

    const lease = { queue: QUEUE, id, token: tokenOf(takes.find((one) => one === taken) ?? later) };
    const stale = { ...lease, token: lease.token + 1_000 };
    expect(await leases.renew({ ...stale, leaseMs: 1 })).toBe(false);
    expect(await leases.checkpoint({ ...stale, state: '1' })).toBe(false);
    expect(await leases.ended(stale)).toBe(false);
    expect(await leases.renew({ ...lease, leaseMs: HOUR_MS })).toBe(true);
    expect(await leases.settle({ ...lease, leaseMs: HOUR_MS })).toBe(true);
    // Its copy may come in before the row says that it is at the broker: it is the job.
    expect(await leases.take(jobOf(id))).toMatchObject({ kind: 'busy' });
    expect(await leases.checkpoint({ ...lease, state: '1' }), 'the run is over').toBe(false);
    expect(await leases.ended(lease)).toBe(true);
    const again = await leases.take(jobOf(id));
    expect(tokenOf(again)).toBeGreaterThan(lease.token);
    await leases.ended({ ...lease, token: tokenOf(again) });
  });

  it('gives whoever asks again by the same request what he was given, as long as nobody took it', async () => {
    const { leases } = bench.store;
    const { leases: elsewhere } = await bench.open();
    const id = newJobId();
    const job = jobOf(id, { leaseMs: 1 });
    const first = { queue: QUEUE, id, token: tokenOf(await leases.take(job)) };
    expect(await leases.checkpoint({ ...first, state: '1' })).toBe(true);
    // Also after the lease has ended, which is no crash.
    const again = await elsewhere.take({ ...job, leaseMs: HOUR_MS });
    expect(again).toEqual({ kind: 'taken', token: first.token, crashes: 0, checkpoint: '1' });
    expect(await leases.take(jobOf(id))).toEqual({ kind: 'duplicate' });
    expect(await leases.settle({ ...first, leaseMs: HOUR_MS })).toBe(true);
    expect(await leases.take(job), 'its run is over').toMatchObject({ kind: 'busy' });
    await leases.moved(first);

    const lost = jobOf(id, { attempt: 2, leaseMs: 1 });
    await leases.take(lost);
    const taken = await eventually('another takes it over', async () => {
      const take = await leases.take(jobOf(id, { attempt: 2 }));
      return take.kind === 'taken' && take;
    });
    expect(taken).toMatchObject({ crashes: 1 });
    expect(await leases.take(lost), 'it is not his any more').toEqual({ kind: 'duplicate' });
    await leases.ended({ ...first, token: taken.token });
  });

  it('keeps the checkpoint for later attempts, not for a replay', async () => {
    const { leases } = bench.store;
    const id = newJobId();
    const state = JSON.stringify({ frame: 7, note: 'a\0\ud800' });
    const first = { queue: QUEUE, id, token: tokenOf(await leases.take(jobOf(id))) };
    expect(await leases.checkpoint({ ...first, state: '1' })).toBe(true);
    expect(await leases.checkpoint({ ...first, state })).toBe(true);
    expect(await leases.moved(first)).toBe(true);
    expect(await leases.renew({ ...first, leaseMs: 1 }), 'the broker has it').toBe(false);
    const second = await leases.take(jobOf(id, { attempt: 2 }));
    expect(second).toMatchObject({ kind: 'taken', crashes: 0, checkpoint: state });
    await leases.moved({ ...first, token: tokenOf(second) });
    const replayed = await leases.take(jobOf(id, { generation: 1 }));
    expect(replayed).toMatchObject({ kind: 'taken', checkpoint: undefined });
    await leases.moved({ ...first, token: tokenOf(replayed) });
    expect(await leases.counts()).toEqual([]);
  });

  it('gives what nobody renews to one sweeper, as it was, and counts the runs that died', async () => {
    const { leases } = bench.store;
    const { leases: elsewhere } = await bench.open();
    const ids = Array.from({ length: 6 }, () => newJobId());
    for (const id of ids) await leases.take(jobOf(id, { leaseMs: 1 }));
    const held = newJobId();
    await leases.take(jobOf(held));
    await leases.take(jobOf(newJobId(), { queue: 'other', leaseMs: 1 }));
    await eventually('they are over', async () => {
      const [one] = (await leases.counts()).filter(({ queue }) => queue === QUEUE);
      return one?.expired === 6 && one.running === 7;
    });
    const swept = (
      await Promise.all([leases, elsewhere, leases].map((one) => one.expired(sweep)))
    ).flat();
    expect(swept.map(({ message }) => message.id).sort()).toEqual([...ids].sort());
    expect(swept.every(({ crashes }) => crashes === 1)).toBe(true);
    const [one] = swept;
    expect(one?.message).toEqual(messageOf(one?.message.id ?? ''));
    const stale = { queue: QUEUE, id: one?.message.id ?? '', token: (one?.token ?? 0) - 1_000 };
    expect(await leases.settle({ ...stale, leaseMs: 1 })).toBe(false);
    for (const { token, message } of swept) {
      expect(await leases.moved({ queue: QUEUE, id: message.id, token })).toBe(true);
    }
    // It is known of the job how often it died, until its next attempt or in another queue.
    const [a = '', b = '', c = ''] = ids;
    expect(await leases.take(jobOf(a))).toMatchObject({ crashes: 1 });
    expect(await leases.take(jobOf(b, { attempt: 2 }))).toMatchObject({ crashes: 0 });
    const suspect = { message: { ...messageOf(c), routingKey: `${QUEUE}.suspect` } };
    expect(await leases.take(jobOf(c, suspect))).toMatchObject({ crashes: 0 });
  });

  it('lets a copy take the place of a run that died, unless it is older; one that was moving did not die', async () => {
    const { leases } = bench.store;
    const id = newJobId();
    const taken = await leases.take(jobOf(id, { attempt: 2, leaseMs: 1 }));
    const isOver = (attempt: number) => async () =>
      (await leases.take(jobOf(id, { attempt }))).kind === 'taken';
    await eventually('an older one has to wait', async () => {
      return (await leases.take(jobOf(id))).kind === 'busy';
    });
    await eventually('the same takes it over', isOver(2));
    expect(await leases.settle({ queue: QUEUE, id, token: tokenOf(taken), leaseMs: 1 })).toBe(
      false,
    );

    const moving = newJobId();
    const token = tokenOf(await leases.take(jobOf(moving)));
    await leases.settle({ queue: QUEUE, id: moving, token, leaseMs: 1 });
    let swept: Awaited<ReturnType<Leases['expired']>> = [];
    await eventually('it is swept', async () => {
      swept = [...swept, ...(await leases.expired(sweep))];
      return swept.length > 0;
    });
    expect(swept).toMatchObject([{ crashes: 0, message: { id: moving } }]);
  });

  it('forgets checkpoints whose jobs did not come back, not those of running ones', async () => {
    const { leases, retention } = bench.store;
    const [gone, runs] = [newJobId(), newJobId()];
    const lease = { queue: QUEUE, id: gone, token: tokenOf(await leases.take(jobOf(gone))) };
    await leases.checkpoint({ ...lease, state: '1' });
    await leases.moved(lease);
    await leases.take(jobOf(runs, { leaseMs: 1 }));
    expect(await retention.checkpoints({ olderThanMs: HOUR_MS, limit: 100 })).toBe(0);
    await retention.checkpoints({ olderThanMs: 0, limit: 100 });
    expect(await leases.take(jobOf(gone))).toMatchObject({ checkpoint: undefined });
    await eventually('it is still there', async () => {
      return (await leases.expired(sweep)).some(({ message }) => message.id === runs);
    });
  });
});
