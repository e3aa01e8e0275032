import type { BulkResult } from '@warren/client';
import { newJobId } from '@warren/contracts';
import { anyJob, type Installation, install, takeIds } from '@warren/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const job = anyJob('probe.run', { maxPayloadBytes: 100 });
const other = anyJob('probe.other');

let here: Installation;
beforeEach(async () => {
  here = await install([job, other]);
});
afterEach(() => here.dispose());

const idsIn = (type = job.type) => takeIds(here.url, here.topology.names.workQueue(type));

async function readAll(results: AsyncIterable<BulkResult>): Promise<BulkResult[]> {
  const read: BulkResult[] = [];
  for await (const result of results) read.push(result);
  return read;
}

/** The ids by index; a failure as its code. */
function outcomes(results: readonly BulkResult[]): string[] {
  const byIndex = new Map<number, string>();
  for (const result of results) {
    expect(byIndex.has(result.index)).toBe(false);
    const outcome = 'id' in result ? result.id : (result.error as { code?: string }).code;
    byIndex.set(result.index, outcome ?? 'no code');
  }
  return Array.from({ length: byIndex.size }, (_, index) => byIndex.get(index) ?? 'missing');
}

async function* numbers(count: number): AsyncGenerator<number> {
  for (let n = 0; n < count; n += 1) yield n;
}

describe('publishMany', () => {
  it('publishes 20,000 jobs from an async source: each answered once, each in the queue once', async () => {
    const jobs = await here.connect();
    const count = 20_000;
    const ids = outcomes(await readAll(jobs.publishMany(job, numbers(count))));
    expect(ids).toHaveLength(count);
    expect(new Set(ids).size).toBe(count);
    expect((await idsIn()).sort()).toEqual([...ids].sort());
  }, 120_000);

  it('has at most the window on the way, also to a reader that is slow', async () => {
    const jobs = await here.connect();
    let read = 0;
    let given = 0;
    let mostAhead = 0;
    function* source() {
      for (; given < 200; given += 1) {
        mostAhead = Math.max(mostAhead, given - read);
        yield given;
      }
    }
    for await (const result of jobs.publishMany(job, source(), { window: 10 })) {
      expect(result).toHaveProperty('id');
      read += 1;
      if (read % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(read).toBe(200);
    // Those in flight, and as many that are answered and not read yet.
    expect(mostAhead).toBeLessThanOrEqual(20);
  });

  it('gives each item its options and its own answer', async () => {
    const jobs = await here.connect();
    const payloads = ['fits', 'x'.repeat(200), 'key', 'header', 'throws', 'fits too'];
    const results = jobs.publishMany(job, payloads, {
      options: (payload, index) => {
        if (payload === 'throws') throw new RangeError('no options for this one');
        if (payload === 'key') return { idempotencyKey: `key-${index}` };
        return payload === 'header' ? { headers: { 'x-attempt': 2 } } : undefined;
      },
    });
    const told = outcomes(await readAll(results));
    const [first, tooLarge, keyed, header, thrown, last] = told;
    expect([tooLarge, header, thrown]).toEqual(['PAYLOAD_TOO_LARGE', 'HEADER_INVALID', 'no code']);
    expect((await idsIn()).sort()).toEqual([first, keyed, last].sort());
    const again = jobs.publishMany(job, ['', '', 'key'], {
      options: (_, index) => ({ idempotencyKey: `key-${index}` }),
    });
    expect(outcomes(await readAll(again))[2]).toBe(keyed);
  });

  it('has published what was in flight when its reader left, and goes on for others', async () => {
    const jobs = await here.connect();
    const ids: string[] = [];
    for await (const result of jobs.publishMany(job, numbers(10_000), { window: 100 })) {
      if ('id' in result) ids.push(result.id);
      if (ids.length === 50) break;
    }
    const { id } = await jobs.publish(other, 1);
    await jobs.close();
    const found = await idsIn();
    expect(found.length).toBeLessThanOrEqual(300);
    expect(ids.filter((one) => !found.includes(one))).toEqual([]);
    expect(await idsIn(other.type)).toEqual([id]);
  });

  it('loses nothing that it answered with an id, while its exchange is deleted', async () => {
    const jobs = await here.connect();
    const accepted: string[] = [];
    const failed: string[] = [];
    for await (const result of jobs.publishMany(job, numbers(3_000), { window: 200 })) {
      if ('id' in result) accepted.push(result.id);
      else failed.push(result.error.name);
      if (result.index === 1_000) {
        const { names } = here.topology;
        await here.admin.run((channel) => channel.deleteExchange(names.jobs));
      }
    }
    expect(failed).toEqual([]);
    const found = new Set(await idsIn());
    expect(accepted.filter((id) => !found.has(id))).toEqual([]);
    expect(new Set(accepted).size).toBe(3_000);
  });
});

describe('publishManyByType', () => {
  it('takes several types, and answers what is no job with an error', async () => {
    const jobs = await here.connect();
    const id = newJobId();
    const items = [
      { type: job.type, payload: 1 },
      { type: other.type, payload: 2, options: { id } },
      { type: 'no.such', payload: 3 },
      { payload: 4 },
      null,
      { type: job.type, payload: 5, options: { delay: 5 } },
      { type: job.type, payload: 6 },
    ];
    const results = await readAll(jobs.publishManyByType(items as { type: string; payload: 1 }[]));
    const [first, second, unknown, untyped, none, wrong, last] = outcomes(results);
    expect([unknown, untyped, none, wrong]).toEqual([
      'UNKNOWN_JOB_TYPE',
      'UNKNOWN_JOB_TYPE',
      'no code',
      'CONFIG_INVALID',
    ]);
    expect(second).toBe(id);
    expect((await idsIn()).sort()).toEqual([first, last].sort());
    expect(await idsIn(other.type)).toEqual([id]);
  });

  it('answers all that is left once the client closes', async () => {
    const jobs = await here.connect();
    const told: string[] = [];
    for await (const result of jobs.publishMany(job, numbers(2_000), { window: 50 })) {
      told.push('id' in result ? 'ok' : ((result.error as { code?: string }).code ?? 'no code'));
      if (told.length === 100) await jobs.close();
    }
    expect(told).toHaveLength(2_000);
    expect(new Set(told)).toEqual(new Set(['ok', 'SHUTTING_DOWN']));
  });
});
