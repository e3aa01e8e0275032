import { newJobId } from '@warren/contracts';
import {
  anyJob,
  type Installation,
  install,
  openStoreBench,
  type StoreBench,
  sharedDatabaseUrl,
} from '@warren/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from './support/command.ts';

const job = anyJob('probe.run', { retry: { maxAttempts: 1 } });

let here: Installation;
let bench: StoreBench & { dispose(): Promise<void> };
beforeAll(async () => {
  here = await install([job], { history: true });
  bench = await openStoreBench({ namespace: here.namespace });
});
afterAll(async () => {
  await bench.dispose();
  await here.dispose();
});

/** What a command printed, which must be one piece of JSON. */
async function json(args: string, input?: string) {
  const { code, stdout, stderr } = await runCommand([...args.split(' '), '--json'], {
    env: {
      AMQP_URL: here.url,
      DATABASE_URL: sharedDatabaseUrl(),
      WARREN_NAMESPACE: here.namespace,
    },
    jobs: [job],
    input,
  });
  expect(stdout, `${args}: ${stderr}`).not.toBe('');
  return { code, result: JSON.parse(stdout) as Record<string, unknown> };
}

it('tells as JSON what was declared, compared and migrated', async () => {
  const queue = here.topology.names.workQueue(job.type);
  const before = await json('topology diff');
  expect(before).toMatchObject({ code: 1, result: { bindings: null } });
  expect(before.result['differences']).toContainEqual({
    kind: 'missing',
    what: 'queue',
    name: queue,
  });
  const { result } = await json('topology apply');
  expect(result).toMatchObject({ queues: here.topology.queues.length });
  expect(result['created']).toContainEqual({ what: 'queue', name: queue });
  expect(await json('topology apply')).toMatchObject({ code: 0, result: { created: [] } });
  expect(await json('topology diff')).toEqual({
    code: 0,
    result: { differences: [], bindings: null, undeclared: null },
  });
  for (const [more, dryRun] of [
    ['', false],
    [' --dry-run', true],
  ] as const) {
    expect(await json(`topology migrate ${job.type}${more}`)).toMatchObject({
      code: 0,
      result: { queue, dryRun, found: 'current', steps: [], isInterrupted: false },
    });
  }
});

it('tells as JSON what was switched', async () => {
  const queue = job.type;
  const told = [
    [`queue pause ${queue}`, { queue, paused: true }],
    [`queue resume ${queue}`, { queue, paused: false }],
    [`queue concurrency ${queue}`, { queue, concurrency: null, prefetch: null }],
    [`queue concurrency ${queue} 7`, { queue, concurrency: 7, prefetch: null }],
    [`queue concurrency ${queue} reset`, { queue, concurrency: null, prefetch: null }],
    ['breakers open smtp', { breaker: 'smtp', state: 'open' }],
    ['breakers reset smtp', { breaker: 'smtp', state: 'auto' }],
  ] as const;
  for (const [args, result] of told) expect(await json(args), args).toEqual({ code: 0, result });
});

it('tells as JSON what became of a job, an import and the store', async () => {
  const id = newJobId();
  const base = { id, type: job.type, queue: job.type, atMs: Date.now(), generation: 0, attempt: 1 };
  await bench.store.projection.apply([{ ...base, kind: 'started', run: newJobId(), worker: 'w' }]);
  expect(await json(`jobs retry ${id}`)).toEqual({
    code: 1,
    result: {
      id,
      queue: job.type,
      replayedTo: null,
      generation: null,
      problem: 'the job is running, not dead: nothing was done',
    },
  });
  expect(await json(`jobs cancel ${id}`)).toEqual({
    code: 0,
    result: { id, queue: job.type, state: 'running', asked: true },
  });
  expect(await json('dead import', '\n')).toEqual({
    code: 0,
    result: { count: 0, published: 0, toQueue: false, problems: [] },
  });
  expect(await json('store rebuild')).toMatchObject({
    code: 0,
    result: { cleared: true, isTracked: false, rows: null, seconds: null, problem: null },
  });
});

it('tells as JSON which users and policies are to be made', async () => {
  const { code, result } = await json('setup --for 4.2.0');
  expect(code).toBe(0);
  expect(result).toMatchObject({ applied: false, policies: expect.any(Array) });
  expect(result['users']).toContainEqual({
    name: expect.any(String),
    password: expect.stringMatching(/^[\w-]{32}$/),
  });
});
