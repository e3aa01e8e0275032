import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CircuitBoard } from './circuit-board.ts';
import type { CircuitNews } from './circuit-report.ts';

const smtp = (state: CircuitNews['state'], sinceMs = 0): CircuitNews => ({
  breaker: 'smtp',
  state,
  sinceMs,
});
const host = (state: CircuitNews['state'], key = 'a.example'): CircuitNews => ({
  breaker: 'host',
  key,
  state,
  sinceMs: 1,
});
const beat = (worker: string, atMs: number, ...circuits: CircuitNews[]) => ({
  worker,
  atMs,
  runs: [],
  circuits,
});
const said = (board: CircuitBoard, nowMs = 0) =>
  board
    .list(nowMs)
    .map(({ breaker, key, state, workers }) => [
      key === undefined ? breaker : `${breaker} ${key}`,
      state,
      workers.map(({ worker }) => worker).join(','),
    ]);

describe('the circuits of all workers', () => {
  it('are open where any is, since the first of those', () => {
    const board = new CircuitBoard();
    board.hearBeat(beat('w1', 10, { ...smtp('open', 7), trialAtMs: 20 }), 0);
    board.hearBeat(beat('w2', 10, smtp('closed', 1)), 0);
    board.hearBeat(beat('w3', 10, { ...smtp('open', 5), trialAtMs: 30 }, host('half_open')), 0);
    expect(said(board)).toEqual([
      ['host a.example', 'half_open', 'w3'],
      ['smtp', 'open', 'w1,w2,w3'],
    ]);
    expect(board.list(0)[1]).toMatchObject({ sinceMs: 5, trialAtMs: 20 });
  });

  it('tell of every queue that waits, whichever worker has it', () => {
    const board = new CircuitBoard();
    board.hearBeat(beat('w1', 1, { ...smtp('open'), queues: ['a.b', 'c.d'] }), 0);
    board.hearBeat(beat('w2', 1, { ...smtp('closed'), queues: ['c.d', 'e.f'] }), 0);
    board.hearBeat(beat('of an old version', 1, smtp('closed'), host('open')), 0);
    expect(board.list(0).map(({ queues }) => queues)).toEqual([[], ['a.b', 'c.d', 'e.f']]);
  });

  it('follow what changes, and each heartbeat is the whole truth', () => {
    const board = new CircuitBoard();
    board.hearReport({ worker: 'w', atMs: 1, circuits: [smtp('open'), host('open')] }, 0);
    expect(said(board)).toHaveLength(2);
    board.hearReport({ worker: 'w', atMs: 2, circuits: [smtp('closed'), host('closed')] }, 0);
    expect(said(board)).toEqual([['smtp', 'closed', 'w']]);
    board.hearBeat(beat('w', 3, host('open', 'b.example')), 0);
    expect(said(board)).toEqual([['host b.example', 'open', 'w']]);
    // Of a worker, what is older than what it has said since.
    board.hearBeat(beat('w', 2, smtp('open')), 0);
    expect(said(board)).toEqual([['host b.example', 'open', 'w']]);
    // It has stopped.
    board.hearBeat(beat('w', 4), 0);
    expect(said(board)).toEqual([]);
  });

  it('of workers that are silent are forgotten, and those say nothing that do not know of circuits', () => {
    const board = new CircuitBoard();
    board.hearBeat(beat('w1', 1, smtp('open')), 1_000);
    board.hearBeat(beat('w2', 900_000, smtp('closed')), 15_000);
    board.hearBeat({ worker: 'w2', atMs: 900_001, runs: [] }, 15_000);
    expect(said(board, 20_999)).toEqual([['smtp', 'open', 'w1,w2']]);
    expect(said(board, 21_000)).toEqual([['smtp', 'closed', 'w2']]);
  });

  it('are bounded, whatever workers tell', () => {
    const board = new CircuitBoard();
    for (let n = 0; n < 1_100; n += 1) {
      board.hearBeat(beat(`w${n}`, 1, smtp('open')), 0);
      board.hearReport({ worker: 'same', atMs: n, circuits: [host('open', `${n}`)] }, 0);
    }
    const all = board.list(0);
    expect(all.find(({ breaker }) => breaker === 'smtp')?.workers.length).toBeLessThanOrEqual(
      1_000,
    );
    expect(all.length).toBeLessThanOrEqual(1_001);
  });

  it('are what each worker has said last, in whatever order workers speak', () => {
    const step = fc.record({
      worker: fc.constantFrom('a', 'b', 'c'),
      state: fc.constantFrom('closed', 'open', 'half_open'),
      isBeat: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1 }), (steps) => {
        const board = new CircuitBoard();
        const last = new Map<string, string>();
        for (const [atMs, { worker, state, isBeat }] of steps.entries()) {
          if (isBeat) board.hearBeat(beat(worker, atMs, smtp(state)), 0);
          else board.hearReport({ worker, atMs, circuits: [smtp(state)] }, 0);
          last.set(worker, state);
        }
        const [{ workers } = { workers: [] }] = board.list(0);
        expect(new Map(workers.map(({ worker, state }) => [worker, state]))).toEqual(last);
      }),
    );
  });
});
