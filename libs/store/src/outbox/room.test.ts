import { expect, it } from 'vitest';
import { createRoom } from './room.ts';

/** A table of so many rows, and how often they were counted. */
function table(rows: number) {
  const counted = { rows, times: 0, nowMs: 0 };
  const sql = {
    async query<Row>() {
      counted.times += 1;
      return [{ count: Math.min(counted.rows, 10) }] as Row[];
    },
  };
  return { counted, room: createRoom(sql, '"s"', 10, () => counted.nowMs) };
}

it('counts once a second, and adds what was taken meanwhile', async () => {
  const { counted, room } = table(3);
  expect(await room.left()).toEqual({ room: 7, pending: 3 });
  room.took(5);
  expect(await room.left()).toEqual({ room: 2, pending: 8 });
  expect(counted.times).toBe(1);
  counted.nowMs = 1_001;
  expect(await room.left()).toEqual({ room: 7, pending: 3 });
  expect(counted.times).toBe(2);
});

it('counts again soon while it is full, once for all who ask', async () => {
  const { counted, room } = table(1_000);
  expect(await room.left()).toEqual({ room: 0, pending: 10 });
  counted.rows = 0;
  expect((await room.left()).room).toBe(0);
  counted.nowMs = 101;
  const answers = await Promise.all([room.left(), room.left(), room.left()]);
  expect(answers.map((answer) => answer.room)).toEqual([10, 10, 10]);
  expect(counted.times).toBe(2);
});
