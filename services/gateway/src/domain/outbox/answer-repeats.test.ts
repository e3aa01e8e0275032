import { QueueFullError } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import type { JobRequest } from '../accept-job.ts';
import { answerRepeats } from './answer-repeats.ts';

const REQUEST: JobRequest = { type: 'a.b', payload: { n: 1 }, id: 'i', idempotency: 'k' };
const FULL = new QueueFullError('a.b', 2, 1);

describe('answerRepeats', () => {
  it.each([
    ['the first job, where the payload is the same', { kind: 'duplicate', id: 'first' } as const],
    ['a conflict, where it is not', { kind: 'conflict', id: 'first' } as const],
    ['that the queue is full, where the key is new', undefined],
  ])('answers a repeat while the queue is full with %s', async (_, known) => {
    const asked: unknown[] = [];
    const accept = answerRepeats(
      () => Promise.reject(FULL),
      async (key) => {
        asked.push(key);
        return known;
      },
      1_000,
    );
    const answer = await accept(REQUEST).catch((error: { code: string }) => error.code);
    const expected = {
      duplicate: { id: 'first', duplicate: true },
      conflict: 'IDEMPOTENCY_CONFLICT',
    };
    expect(answer).toEqual(known ? expected[known.kind] : 'QUEUE_FULL');
    expect(asked).toEqual([{ key: 'k', payloadHash: expect.any(String) }]);
  });

  it('asks nobody otherwise', async () => {
    const find = () => Promise.reject(new Error('asked'));
    const { idempotency: _, ...keyless } = REQUEST;
    await expect(answerRepeats(() => Promise.reject(FULL), find, 1)(keyless)).rejects.toBe(FULL);
    const failing = answerRepeats(() => Promise.reject(new TypeError('no')), find, 1);
    await expect(failing(REQUEST)).rejects.toThrow('no');
    expect(await answerRepeats(async ({ id }) => ({ id }), find, 1)(REQUEST)).toEqual({ id: 'i' });
  });

  it('does not wait for a store that does not answer', async () => {
    const find = () => new Promise<undefined>(() => {});
    const accept = answerRepeats(() => Promise.reject(FULL), find, 1);
    await expect(accept(REQUEST)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });
});
