import { expect, it } from 'vitest';
import { LimitBoard } from './limit-board.ts';
import type { LimitNews } from './limit-news.ts';

const limit = (name: string): LimitNews => ({
  name,
  scope: 'global',
  queues: [`${name}.call`],
  rate: 60,
  per: '1m',
  burst: 1,
});
const beat = (worker: string, atMs: number, limits?: LimitNews[]) => ({
  worker,
  atMs,
  runs: [],
  limits,
});
const said = (board: LimitBoard, nowMs = 0) =>
  board.list(nowMs).map(({ worker, name }) => `${worker} ${name}`);

it('has the limits of all workers as each has said last, and forgets who is silent', () => {
  const board = new LimitBoard();
  board.hearBeat(beat('a', 2, [limit('crm'), limit('api')]), 0);
  board.hearBeat(beat('b', 1, [limit('crm')]), 10_000);
  board.hearBeat(beat('a', 1, []), 0);
  // From a version that says nothing of limits.
  board.hearBeat(beat('b', 2), 10_000);
  expect(said(board)).toEqual(['a crm', 'a api', 'b crm']);
  expect(said(board, 20_000)).toEqual(['b crm']);
  board.hearBeat(beat('b', 3, []), 20_000);
  expect(said(board, 20_000)).toEqual([]);
});
