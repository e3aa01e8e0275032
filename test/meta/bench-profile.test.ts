import { describe, expect, it } from 'vitest';
import { UsageError } from '../../bench/command-line.ts';
import { readProfileOptions } from '../../bench/profile/command-line.ts';
import { bytesByFunction, bytesByOwner } from '../../bench/profile/read-allocations.ts';
import { timeByFunction, timeByOwner } from '../../bench/profile/read-cpu.ts';
import { toLines } from '../../bench/profile/shares.ts';

const callFrame = (functionName: string, url: string, lineNumber = 9) => ({
  functionName,
  url,
  lineNumber,
});
const CODEC = callFrame('encode', 'file:///w/node_modules/amqplib/lib/codec.js');
const EXECUTOR = callFrame('', 'file:///w/libs/worker/src/executor.ts');

describe('a profile of the processor', () => {
  const profile = {
    nodes: [
      { id: 1, callFrame: callFrame('(idle)', '') },
      { id: 2, callFrame: callFrame('(garbage collector)', '') },
      { id: 3, callFrame: CODEC },
      { id: 4, callFrame: EXECUTOR },
      { id: 5, callFrame: callFrame('writev', 'node:internal/stream_base_commons') },
      { id: 6, callFrame: CODEC },
      { id: 7, callFrame: callFrame('dispatch', '') },
    ],
    samples: [1, 3, 6, 4, 2, 5, 7],
    timeDeltas: [500, 30, 20, 40, 10, 5, 900],
  };

  it('is summed up by owner and by function, without what was waited, nor the profiler', () => {
    const owners = timeByOwner(profile).map(({ where, amount }) => [where, amount]);
    expect(owners).toEqual([
      ['amqplib', 50],
      ['libs/worker', 40],
      ['(garbage collector)', 10],
      ['node:stream_base_commons', 5],
    ]);
    expect(timeByFunction(profile).map(({ where }) => where)).toEqual([
      'encode node_modules/amqplib/lib/codec.js:10',
      '(anonymous) libs/worker/src/executor.ts:10',
      '(garbage collector)',
      'writev node:internal/stream_base_commons:10',
    ]);
  });
});

describe('a profile of allocations', () => {
  const made = (frame: ReturnType<typeof callFrame>, selfSize: number, ...children: object[]) => ({
    callFrame: frame,
    selfSize,
    children: children as never[],
  });
  const head = made(
    callFrame('(root)', ''),
    0,
    made(callFrame('(V8 API)', ''), 30),
    made(
      EXECUTOR,
      100,
      made(CODEC, 200),
      made(callFrame('set', ''), 7, made(callFrame('grow', ''), 3, made(CODEC, 1))),
    ),
  );

  it('gives what is built in to who called it', () => {
    expect(bytesByOwner({ head }).map(({ where, amount }) => [where, amount])).toEqual([
      ['amqplib', 201],
      ['libs/worker', 110],
      ['(V8 API)', 30],
    ]);
    expect(bytesByFunction({ head }).map(({ where, amount }) => [where, amount])).toEqual([
      ['encode node_modules/amqplib/lib/codec.js:10', 201],
      ['(anonymous) libs/worker/src/executor.ts:10', 100],
      ['(V8 API)', 30],
      ['(anonymous) libs/worker/src/executor.ts:10 › set', 7],
      ['(anonymous) libs/worker/src/executor.ts:10 › grow', 3],
    ]);
  });

  it('is told per job, with the share of each place in all, and no more than are asked for', () => {
    const shares = [
      { where: 'amqplib', amount: 300_000 },
      { where: 'libs/worker', amount: 99_000 },
      { where: 'zod', amount: 1_000 },
    ];
    expect(toLines(shares, 100, 2)).toEqual([
      '    4000 100.0 %  all',
      '    3000  75.0 %  amqplib',
      '     990  24.8 %  libs/worker',
    ]);
    expect(toLines(shares, 100_000, 1)[1]).toBe('    3.00  75.0 %  amqplib');
    expect(toLines([], 100, 2)).toEqual(['    0.00   0.0 %  all']);
  });
});

describe('what is to be profiled', () => {
  const read = (...args: string[]) => readProfileOptions(args, {});

  it('is everything, for want of options', () => {
    expect(read()).toEqual({
      subjects: ['publisher', 'worker', 'tracker', 'gateway', 'bulk'],
      kinds: ['cpu', 'allocations'],
      count: 100_000,
      concurrency: 10,
      jobTypes: 1,
      top: 25,
      drain: false,
      bare: false,
      batched: false,
      history: true,
      store: false,
      inlining: true,
      url: 'amqp://guest:guest@127.0.0.1:5672',
      databaseUrl: 'postgres://postgres@127.0.0.1:5432/postgres',
    });
    const env = { AMQP_URL: 'amqp://there', DATABASE_URL: 'postgres://there' };
    expect(readProfileOptions([], env)).toMatchObject({
      url: 'amqp://there',
      databaseUrl: 'postgres://there',
    });
  });

  it.each([
    [['--only', 'tracker'], ['tracker']],
    [['--drain'], ['worker']],
    [['--bare'], ['publisher', 'worker']],
    [['--bare', '--only', 'publisher'], ['publisher']],
    [['--no-history'], ['publisher', 'worker']],
    [['--store'], ['gateway', 'bulk']],
  ])('with %j it is %j', (args, subjects) => {
    expect(read(...args).subjects).toEqual(subjects);
  });

  it.each([
    [['--nope'], "Unknown option '--nope'; the nearest is --top"],
    [['worker'], "Unexpected argument 'worker'"],
    [['--only'], "Option '--only <value>' argument missing"],
    [
      ['--only', 'mailer'],
      '--only: expected one of publisher, worker, tracker, gateway, bulk, got mailer',
    ],
    [['--what', 'heap'], '--what: expected one of cpu, allocations, got heap'],
    [['--count', '0'], '--count: expected a whole number from 1, got 0'],
    [['--top', 'x'], '--top: expected a whole number from 1, got x'],
    [['--batched'], '--batched: only with --bare'],
    [
      ['--bare', '--only', 'gateway'],
      '--bare: not with --only gateway, it is for publisher and worker',
    ],
    [['--drain', '--store'], '--store: not with --drain, it is for gateway and bulk'],
  ])('%j is refused: %s', (args, message) => {
    expect(() => read(...args)).toThrow(new UsageError(message));
  });
});
