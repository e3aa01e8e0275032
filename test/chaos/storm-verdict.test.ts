import { describe, expect, it } from 'vitest';
import type { RunEvent, StormPayload } from './fixtures/storm-job.ts';
import { isFlat, MemoryCurve } from './storm/memory-curve.ts';
import type { Parked } from './storm/parked-jobs.ts';
import { StormLedger } from './storm/storm-ledger.ts';
import { Troubles } from './storm/troubles.ts';
import { isClean, judge } from './storm/verdict.ts';

const fine: StormPayload = { fails: 0, isFatal: false, workMs: 1 };
const doomed: StormPayload = { fails: 1, isFatal: true, workMs: 1 };
const nothing: Parked = { dead: new Map(), unroutable: new Set(), waiting: new Set() };

function storm() {
  const ledger = new StormLedger();
  const troubles = new Troubles();
  let runs = 0;
  return {
    ledger,
    troubles,
    accept: (id: string, payload = fine) => ledger.accept(ledger.publish(id, payload)),
    run(life: string, id: string, ended?: RunEvent['event'], attempt = 1): number {
      runs += 1;
      const step = { id, attempt, run: runs };
      const atMs = Date.now() + runs;
      ledger.record(life, { event: 'started', atMs, ...step });
      if (ended) ledger.record(life, { event: ended, atMs, ...step });
      return atMs;
    },
    verdict: (parked: Partial<Parked> = {}, deleted = 0) =>
      judge(ledger.jobs.values(), { ...nothing, ...parked }, troubles, deleted),
  };
}

describe('the verdict on a storm', () => {
  it('is clean when each job came to the end that it was told', () => {
    const { accept, run, verdict, ledger } = storm();
    accept('a');
    accept('b', doomed);
    run('w', 'a', 'succeeded');
    run('w', 'b', 'failed');
    const account = verdict({ dead: new Map([['b', 'non_retryable']]) });
    expect(account).toMatchObject({ accepted: 2, succeeded: 1, dead: 1, lost: 0, duplicated: 0 });
    expect(isClean(account)).toBe(true);
    expect(ledger.missing).toBe(0);
  });

  it('calls a job lost that is nowhere, be it that its dead letter is missing', () => {
    const { accept, run, verdict } = storm();
    accept('a');
    accept('b', doomed);
    run('w', 'b', 'failed');
    expect(verdict()).toMatchObject({ lost: 2 });
    expect(isClean(verdict())).toBe(false);
  });

  it('tells apart what waits, what has no queue, and what went with a queue', () => {
    const { accept, verdict } = storm();
    for (const id of ['a', 'b', 'c', 'd']) accept(id);
    const parked = { waiting: new Set(['a']), unroutable: new Set(['b']) };
    expect(verdict(parked, 1)).toMatchObject({
      unfinished: 1,
      unroutable: 1,
      deletedWithQueue: 1,
      lost: 1,
    });
  });

  it('asks for the reason of a dead letter that was to succeed', () => {
    const { accept, verdict } = storm();
    accept('a');
    const account = verdict({ dead: new Map([['a', 'poison']]) });
    expect(account.wronglyDead).toEqual({ poison: 1 });
    expect(isClean(account)).toBe(false);
  });

  it('takes a second run for explained only by what hit the first one', () => {
    const { accept, run, verdict, troubles } = storm();
    accept('a');
    const atMs = run('w1', 'a');
    troubles.ofWorker('w2', 'ended', atMs);
    run('w2', 'a', 'succeeded');
    expect(verdict()).toMatchObject({ duplicated: 1, duplicatesUnexplained: 1 });
    troubles.ofWorker('w1', 'ended', atMs);
    const account = verdict();
    expect(account).toMatchObject({ duplicated: 1, duplicatesUnexplained: 0 });
    expect(account.duplicatesBy).toEqual({ 'delivery lost': 1 });
  });

  it('knows that a process notices its loss after the broker did, but not how long ago it was', () => {
    const { accept, run, verdict, troubles } = storm();
    accept('a');
    run('w1', 'a', 'succeeded');
    const againAtMs = run('w2', 'a', 'succeeded');
    troubles.ofWorker('w1', 'consumer lost', againAtMs + 60_000);
    expect(verdict()).toMatchObject({ duplicated: 1, duplicatesUnexplained: 1 });
    troubles.ofWorker('w1', 'consumer lost', againAtMs + 900);
    expect(verdict()).toMatchObject({ duplicatesUnexplained: 0 });
    expect(verdict().duplicatesBy).toEqual({ 'delivery lost': 1 });
  });

  it('counts an attempt that follows no failure', () => {
    const { accept, run, verdict } = storm();
    accept('a');
    run('w', 'a', undefined, 1);
    run('w', 'a', 'succeeded', 2);
    expect(verdict().attemptsSpentByFaults).toBe(1);
  });

  it('knows which jobs have more to do', () => {
    const { accept, run, ledger } = storm();
    accept('a', { ...fine, fails: 1 });
    accept('b', doomed);
    run('w', 'a', 'failed');
    run('w', 'b', 'failed');
    expect(ledger.missing).toBe(1);
    run('w', 'a', 'succeeded', 2);
    expect(ledger.missing).toBe(0);
  });
});

it('finds how memory grows a minute, once it has settled', () => {
  const curve = new MemoryCurve();
  for (let minute = 0; minute < 30; minute += 1) {
    const settling = minute < 5 ? 200 : 0;
    curve.add({ atMs: minute * 60_000, rssMb: 100 + settling + minute * 2, heapMb: 50 });
  }
  expect(curve.report()).toMatchObject({ rssMbPerMinute: 2, heapMbPerMinute: 0, lastRssMb: 158 });
});

it('takes memory for flat by the run that is long enough to tell', () => {
  const curve = new MemoryCurve();
  expect(isFlat(curve.report(), 600)).toBe(false);
  for (let minute = 0; minute < 30; minute += 1) {
    curve.add({ atMs: minute * 60_000, rssMb: 100 + minute * 3, heapMb: 50 });
  }
  expect(isFlat(curve.report(), 1_800)).toBe(false);
  expect(isFlat(curve.report(), 60)).toBe(true);
});
