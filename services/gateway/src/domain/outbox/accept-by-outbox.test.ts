import type { OutgoingMessage } from '@warren/broker';
import { BrokerUnavailableError, StoreUnavailableError } from '@warren/contracts';
import type { Acceptance, Accepted, AcceptOptions } from '@warren/store';
import { describe, expect, it } from 'vitest';
import type { JobRequest } from '../accept-job.ts';
import { acceptByOutbox } from './accept-by-outbox.ts';

const REQUEST: JobRequest = { type: 'a.b', payload: { n: 1 }, id: 'i', correlationId: 'c' };

function messageOf({ id, type, payload }: JobRequest): OutgoingMessage {
  return {
    exchange: 'jobs',
    routingKey: type,
    body: Buffer.from(JSON.stringify(payload)),
    properties: { messageId: id, persistent: true, mandatory: true },
  };
}

/** Everything around the acceptance, kept for a test to read. */
function world(answer: (job: Acceptance) => Accepted | Promise<Accepted>) {
  const seen = {
    accepted: [] as { jobs: readonly Acceptance[]; options: AcceptOptions | undefined }[],
    handedOver: [] as string[],
    forgotten: [] as string[],
    sent: [] as string[],
    shut: [] as string[],
  };
  const state = { leaseMs: 15_000, problem: undefined as string | undefined, sendFails: false };
  const accept = acceptByOutbox({
    outbox: {
      accept: async (jobs, options) => {
        seen.accepted.push({ jobs, options });
        return Promise.all(jobs.map(async (job) => answer(job)));
      },
    },
    relay: {
      get leaseMs() {
        return state.leaseMs;
      },
      handOver: ({ id }) => void seen.handedOver.push(id),
      forget: (id) => void seen.forgotten.push(id),
    },
    gate: {
      get problem() {
        return state.problem;
      },
      shut: (problem) => void seen.shut.push(problem),
    },
    prepare: messageOf,
    send: async ({ properties }) => {
      if (state.sendFails) throw new BrokerUnavailableError('refused');
      seen.sent.push(properties.messageId);
    },
    service: 'gateway',
    storeTimeoutMs: 20,
  });
  return { accept, seen, state };
}

const takeAll = ({ message }: Acceptance): Accepted => ({ kind: 'accepted', id: message.id });

/** With a store that commits when it is told to. */
function lateWorld() {
  let commit: () => void = () => {};
  const late = new Promise<void>((resolve) => {
    commit = resolve;
  });
  const commitLate = async () => {
    commit();
    await new Promise(setImmediate);
  };
  return { ...world((job) => late.then(() => takeAll(job))), commitLate };
}

describe('acceptByOutbox', () => {
  it('commits a job under a lease and hands it over; those of one turn are one group', async () => {
    const { accept, seen } = world(takeAll);
    const ids = ['i', 'j'];
    expect(await Promise.all(ids.map((id) => accept({ ...REQUEST, id })))).toEqual([
      { id: 'i' },
      { id: 'j' },
    ]);
    expect(seen.accepted).toHaveLength(1);
    const [group] = seen.accepted;
    expect(group?.options).toEqual({ leaseMs: 15_000 });
    expect(group?.jobs[0]).toMatchObject({
      message: { id: 'i', exchange: 'jobs', routingKey: 'a.b', body: Buffer.from('{"n":1}') },
      event: { kind: 'accepted', id: 'i', queue: 'a.b', service: 'gateway', correlationId: 'c' },
    });
    expect(group?.jobs[0]).not.toHaveProperty('idempotency');
    expect([seen.handedOver, seen.sent]).toEqual([ids, []]);
  });

  it('leaves a job to whoever comes when the broker is away', async () => {
    const { accept, seen, state } = world(takeAll);
    state.leaseMs = 0;
    await accept(REQUEST);
    expect(seen.accepted[0]?.options).toEqual({ leaseMs: 0 });
    expect(seen.handedOver).toEqual([]);
  });

  it('tells duplicates, conflicts and a full outbox, and publishes none of them', async () => {
    const answers: Accepted[] = [
      { kind: 'duplicate', id: 'first' },
      { kind: 'conflict', id: 'first' },
      { kind: 'full', pending: 7 },
    ];
    const { accept, seen } = world(() => answers.shift() as Accepted);
    const keyed = { ...REQUEST, idempotency: 'k' };
    expect(await accept(keyed)).toEqual({ id: 'first', duplicate: true });
    await expect(accept(keyed)).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
    await expect(accept(REQUEST)).rejects.toMatchObject({ code: 'OUTBOX_FULL' });
    expect(seen.handedOver).toEqual([]);
    const hashes = seen.accepted.map(({ jobs }) => jobs[0]?.idempotency?.payloadHash);
    expect(hashes[0]).toBe(hashes[1]);
  });

  it('takes two payloads for the same whatever the order of their keys, and others not', async () => {
    const { accept, seen } = world(takeAll);
    const payloads = [{ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }, { a: 1 }];
    for (const payload of payloads) await accept({ ...REQUEST, payload, idempotency: 'k' });
    const [one, same, other] = seen.accepted.map(({ jobs }) => jobs[0]?.idempotency?.payloadHash);
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });

  it('publishes directly while the store is away, and has the outbox forget the job', async () => {
    const { accept, seen, state } = world(() => Promise.reject(new StoreUnavailableError('gone')));
    expect(await accept(REQUEST)).toEqual({ id: 'i' });
    expect(seen.shut).toEqual(['the store does not answer: gone']);
    expect([seen.sent, seen.forgotten]).toEqual([['i'], ['i']]);
    state.problem = 'gone';
    await accept(REQUEST);
    expect(seen.accepted).toHaveLength(1);
    expect(seen.sent).toEqual(['i', 'i']);
    await expect(accept({ ...REQUEST, idempotency: 'k' })).rejects.toThrow(StoreUnavailableError);
    state.sendFails = true;
    await expect(accept(REQUEST)).rejects.toThrow(BrokerUnavailableError);
    expect(seen.sent).toHaveLength(2);
  });

  it('waits for a slow store no longer than that; what it commits late is not published again', async () => {
    const { accept, seen, commitLate } = lateWorld();
    expect(await accept(REQUEST)).toEqual({ id: 'i' });
    expect(seen.sent).toEqual(['i']);
    await commitLate();
    expect(seen.handedOver).toEqual([]);
    expect(seen.forgotten).toEqual(['i', 'i']);
  });

  it('keeps what a slow store commits late and the broker did not get: an earlier request may have been promised it', async () => {
    const { accept, seen, state, commitLate } = lateWorld();
    state.sendFails = true;
    await expect(accept(REQUEST)).rejects.toThrow(BrokerUnavailableError);
    await commitLate();
    expect([seen.handedOver, seen.forgotten]).toEqual([[], []]);
  });

  it('publishes what a slow store commits late under a key: who comes again with it is told of that job', async () => {
    const { accept, seen, commitLate } = lateWorld();
    await expect(accept({ ...REQUEST, idempotency: 'k' })).rejects.toThrow(StoreUnavailableError);
    await commitLate();
    expect([seen.handedOver, seen.forgotten, seen.sent]).toEqual([['i'], [], []]);
  });

  it('tells what is wrong with a statement, rather than going another way', async () => {
    const { accept, seen } = world(() => Promise.reject(new TypeError('wrong')));
    await expect(accept(REQUEST)).rejects.toThrow('wrong');
    expect(seen.sent).toEqual([]);
  });
});
