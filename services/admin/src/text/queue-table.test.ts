import { expect, it } from 'vitest';
import { queueTable } from './queue-table.ts';

const line = {
  ...{ queue: 'a.b', exists: true, ready: 1, running: 3, retrying: 4 },
  ...{ suspects: 5, dead: 6, consumers: 7, leased: 2, expiredLeases: 0 },
};
const plain = (_colour: string, text: string) => text;

it('shows where the jobs are, long ones too, and below what is out of the ordinary', () => {
  const look = { queues: [line], unroutable: 0, problem: undefined };
  expect(queueTable(look, plain)).toMatch(/^queue +ready .*\na\.b +1 +3 +2 +4 +5 +6 +7\n$/);
  const queues = [{ ...line, expiredLeases: 8 }];
  expect(queueTable({ ...look, queues, unroutable: 9 }, plain)).toMatch(
    /\nexpired leases of a\.b: 8; .*\n9 in jobs\.unroutable, .*\n$/,
  );
});

it('leaves out what only a store knows', () => {
  const unknown = { running: undefined, retrying: undefined };
  const queues = [{ ...line, ...unknown, leased: undefined, expiredLeases: undefined }];
  const text = queueTable({ queues, unroutable: 0, problem: 'gone' }, plain);
  expect(text).toMatch(/a\.b +1 +- +- +- +5 +6 +7\n$/);
});
