import type { HistoryEvent } from '@warren/history';
import type { JobRecord } from '@warren/store';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { jobRecord } from '../../fixtures/fake-reader.ts';
import type { Follower } from './history-hub.ts';
import { waitForEnd } from './wait-for-end.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new AbortController().signal;

let waits = 0;
beforeEach(() => {
  waits = 0;
});
const onWaiting = () => {
  waits += 1;
};

/** A job in the store, and a hub that tells what a test says. */
function world() {
  const state = { job: jobRecord({ state: 'running' }), reads: 0, followers: 0 };
  let tell: (event: HistoryEvent) => void = () => {};
  const hub = {
    follow: (follower: Follower) => {
      state.followers += 1;
      tell = (event) => follower.fits(event) && follower.onEvents([event], 1);
      return () => {
        state.followers -= 1;
      };
    },
  };
  const read = async () => {
    state.reads += 1;
    return state.job;
  };
  const end = (id = state.job.id) =>
    tell({
      kind: 'succeeded',
      id,
      type: 'email.send',
      queue: 'email.send',
      atMs: 1,
      generation: 0,
      attempt: 1,
      run: 'r',
      durationMs: 1,
    });
  return { state, hub, read, end };
}

describe('waitForEnd', () => {
  it('answers at once when the job has ended', async () => {
    const { state, hub, read } = world();
    state.job = jobRecord({ state: 'dead' });
    expect(await waitForEnd({ read, hub, waitMs: 1_000, onWaiting, signal: never })).toBe(
      state.job,
    );
    expect([state.reads, state.followers, waits]).toEqual([1, 0, 0]);
  });

  it('looks again when it hears of the end, also where the store hears of it later', async () => {
    const { state, hub, read, end } = world();
    const waited = waitForEnd({ read, hub, waitMs: 60_000, onWaiting, signal: never });
    await vi.advanceTimersByTimeAsync(10);
    end('somebody-else');
    end();
    await vi.advanceTimersByTimeAsync(50);
    const ended: JobRecord = jobRecord({ state: 'succeeded' });
    state.job = ended;
    await vi.advanceTimersByTimeAsync(200);
    expect(await waited).toBe(ended);
    expect([state.followers, waits]).toEqual([0, 1]);
  });

  it('finds an end that nobody told within moments, and answers as it is when the wait is over', async () => {
    const { state, read } = world();
    const found = waitForEnd({ read, waitMs: 60_000, onWaiting, signal: never });
    await vi.advanceTimersByTimeAsync(10);
    state.job = jobRecord({ state: 'succeeded' });
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await found).state).toBe('succeeded');
    state.job = jobRecord({ state: 'running' });
    const waited = waitForEnd({ read, waitMs: 2_500, onWaiting, signal: never });
    await vi.advanceTimersByTimeAsync(2_600);
    expect((await waited).state).toBe('running');
  });

  it('ends when the process stops', async () => {
    const { hub, read, state } = world();
    const stopping = new AbortController();
    const waited = waitForEnd({ read, hub, waitMs: 60_000, onWaiting, signal: stopping.signal });
    await vi.advanceTimersByTimeAsync(10);
    stopping.abort();
    await vi.advanceTimersByTimeAsync(1);
    expect((await waited).state).toBe('running');
    expect(state.followers).toBe(0);
  });
});
