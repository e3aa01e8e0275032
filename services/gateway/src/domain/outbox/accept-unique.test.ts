import type { OutgoingMessage } from '@warren/broker';
import { QueueFullError, StoreUnavailableError } from '@warren/contracts';
import type { AcceptOptions, UniqueAcceptance, UniquelyAccepted } from '@warren/store';
import { describe, expect, it } from 'vitest';
import type { JobRequest } from '../accept-job.ts';
import { acceptEither, acceptUnique } from './accept-unique.ts';
import { LONGEST_WAIT_MS } from './uniqueness-of.ts';

const REQUEST: JobRequest = { type: 'a.b', payload: { n: 1 }, id: 'i', unique: 'active' };
const WAITS: JobRequest = { type: 'a.b', payload: 1, id: 'w', debounce: '30s', uniqueKey: 'k' };

function messageOf({ id, type, payload }: JobRequest): OutgoingMessage {
  return {
    exchange: 'jobs',
    routingKey: type,
    body: Buffer.from(JSON.stringify(payload)),
    properties: { messageId: id, persistent: true, mandatory: true },
  };
}

/** Everything around the acceptance, kept for a test to read. */
function world(answer: (job: UniqueAcceptance) => UniquelyAccepted | Promise<never>) {
  const seen = {
    accepted: [] as { jobs: readonly UniqueAcceptance[]; options: AcceptOptions | undefined }[],
    handedOver: [] as string[],
    shut: [] as string[],
  };
  const state = { leaseMs: 15_000, problem: undefined as string | undefined, isFull: false };
  const options = {
    outbox: {
      acceptUnique: async (jobs: readonly UniqueAcceptance[], accept?: AcceptOptions) => {
        seen.accepted.push({ jobs, options: accept });
        return Promise.all(jobs.map(async (job) => answer(job)));
      },
    },
    relay: {
      get leaseMs() {
        return state.leaseMs;
      },
      handOver: ({ id }: { id: string }) => void seen.handedOver.push(id),
    },
    gate: {
      get problem() {
        return state.problem;
      },
      shut: (problem: string) => void seen.shut.push(problem),
    },
    prepare: async (request: JobRequest) => ({
      message: messageOf(request),
      ...(state.isFull && { refuse: () => new QueueFullError('a.b', 2, 1) }),
    }),
    maxAgeMsOf: () => 7_000,
    hasHistory: true,
    service: 'gateway',
    storeTimeoutMs: 20,
  };
  return { accept: acceptUnique(options), options, seen, state };
}

const takeAll = ({ message }: UniqueAcceptance): UniquelyAccepted => ({
  kind: 'accepted',
  id: message.id,
});

describe('acceptUnique', () => {
  it('commits the requests of one moment together, and hands over what is not to wait', async () => {
    const { accept, seen } = world(takeAll);
    const throttled: JobRequest = { ...REQUEST, id: 't', throttle: '10m' };
    const { unique: _, ...throttle } = throttled;
    expect(await Promise.all([accept(REQUEST), accept(throttle), accept(WAITS)])).toEqual([
      { id: 'i' },
      { id: 't' },
      { id: 'w' },
    ]);
    const [{ jobs, options } = { jobs: [], options: undefined }] = seen.accepted;
    expect(options).toEqual({ leaseMs: 15_000 });
    expect(jobs.map(({ uniqueness }) => uniqueness)).toMatchObject([
      { kind: 'active', maxAgeMs: 7_000 },
      { kind: 'throttle', periodMs: 600_000 },
      { kind: 'debounce', key: 'key k', waitMs: 30_000, maxWaitMs: 300_000 },
    ]);
    expect(seen.handedOver).toEqual(['i', 't']);
  });

  it('takes payloads for the same whatever the order of their keys, and no key for a payload', async () => {
    const { accept, seen } = world(takeAll);
    const payloads = [{ a: 1, b: 2 }, { b: 2, a: 1 }, { a: 1 }];
    for (const payload of payloads) await accept({ ...REQUEST, payload });
    const derived = () => seen.accepted.map(({ jobs }) => jobs[0]?.uniqueness.key ?? '');
    const [one, same, other] = derived();
    expect([same === one, other === one]).toEqual([true, false]);
    await accept({ ...REQUEST, uniqueKey: one?.slice('payload '.length) ?? '' });
    expect(new Set(derived()).size).toBe(3);
  });

  it('bounds how long a job is put off, also where nobody says so', async () => {
    const { accept, seen } = world(takeAll);
    await accept({ ...WAITS, debounce: '24h' });
    await accept({ ...WAITS, debounce: '24h', maxWait: '36h' });
    expect(seen.accepted.map(({ jobs }) => jobs[0]?.uniqueness)).toMatchObject([
      { maxWaitMs: LONGEST_WAIT_MS },
      { maxWaitMs: 129_600_000 },
    ]);
  });

  it('tells whose job it is, and what kept it from being one', async () => {
    const answers: UniquelyAccepted[] = [
      { kind: 'duplicate', id: 'first' },
      { kind: 'replaced', id: 'first' },
      { kind: 'full', pending: 7 },
      { kind: 'refused' },
    ];
    const { accept, seen, state } = world(() => answers.shift() as UniquelyAccepted);
    expect(await accept(REQUEST)).toEqual({ id: 'first', duplicate: true });
    expect(await accept(WAITS)).toEqual({ id: 'first', duplicate: true, replaced: true });
    await expect(accept(REQUEST)).rejects.toMatchObject({ code: 'OUTBOX_FULL' });
    state.isFull = true;
    await expect(accept(REQUEST)).rejects.toMatchObject({ code: 'QUEUE_FULL' });
    expect(seen.accepted.map(({ jobs }) => jobs[0]?.knownOnly)).toEqual([
      undefined,
      undefined,
      undefined,
      true,
    ]);
    expect(seen.handedOver).toEqual([]);
  });

  it('refuses while the store is away: nobody could tell', async () => {
    const { accept, seen, state } = world(() => Promise.reject(new StoreUnavailableError('gone')));
    await expect(accept(REQUEST)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(seen.shut).toEqual(['the store does not answer: gone']);
    state.problem = 'gone';
    await expect(accept(REQUEST)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(seen.accepted).toHaveLength(1);
  });

  it('refuses `unique` where nobody tells when a job has ended, and takes the others', async () => {
    const { options } = world(takeAll);
    const accept = acceptUnique({ ...options, hasHistory: false });
    await expect(accept(REQUEST)).rejects.toMatchObject({
      code: 'OPTION_NEEDS_STORE',
      option: 'unique',
    });
    expect(await accept(WAITS)).toEqual({ id: 'w' });
  });
});

it('leaves every other job to whoever takes those', async () => {
  const accept = acceptEither(
    async () => ({ id: 'plain' }),
    async () => ({ id: 'unique' }),
  );
  const { unique: _, ...plain } = REQUEST;
  expect([await accept(plain), await accept(REQUEST), await accept(WAITS)]).toEqual([
    { id: 'plain' },
    { id: 'unique' },
    { id: 'unique' },
  ]);
});
