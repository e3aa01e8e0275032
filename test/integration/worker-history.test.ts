import { setImmediate as turn } from 'node:timers/promises';
import { defineJob, NonRetryableError, pii, SnoozeError } from '@warren/contracts';
import type { HistoryEvent } from '@warren/history';
import { createLogger, type Logger } from '@warren/telemetry';
import {
  anyJob,
  eventually,
  Gate,
  type Installation,
  install,
  quietTelemetry,
  type SeenHistory,
  seeHistory,
} from '@warren/testing';
import { handle } from '@warren/worker';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

const personal = defineJob({
  type: 'mail.run',
  schema: z.object({ to: pii(z.string()), mode: z.string() }),
  retry: { maxAttempts: 2, backoff: { kind: 'fixed', delay: '1ms' } },
});
const other = anyJob('probe.run');

let here: Installation;
let history: SeenHistory;
beforeEach(async () => {
  here = await install([personal, other], { history: true });
  history = seeHistory(here);
});
afterEach(async () => {
  await history.close();
  await here.dispose();
});

const kinds = (events: readonly HistoryEvent[]) => events.map(({ kind }) => kind);
const to = 'ada@example.org';

describe('the history of a job', () => {
  it('tells every outcome, with attempts, runs, results and errors', async () => {
    const jobs = await here.connect();
    const publish = async (mode: string, options = {}) =>
      (await jobs.publish(personal, { to, mode }, options)).id;
    const expired = await publish('expired', { expiresIn: '1ms' });
    let snoozes = 0;
    await here.work([
      handle(personal, (job) => {
        const { mode } = job.payload;
        if (mode === 'result') return { sent: 3 };
        if (mode === 'huge') return 'x'.repeat(70_000);
        if (mode === 'hopeless') throw new NonRetryableError(`no mailbox ${to}`);
        if (mode === 'later') throw new TypeError('down');
        if (mode === 'snooze') snoozes += 1;
        if (mode === 'snooze' && snoozes === 1) throw new SnoozeError(1);
        return undefined;
      }),
    ]);
    const [result, huge, hopeless, later, snoozed] = await Promise.all(
      ['result', 'huge', 'hopeless', 'later', 'snooze'].map((mode) => publish(mode)),
    );

    const told = await history.until(result ?? '', 'succeeded');
    expect(told.slice(-2)).toMatchObject([
      { kind: 'started', queue: 'mail.run', type: 'mail.run', attempt: 1, generation: 0 },
      { kind: 'succeeded', result: '{"sent":3}', run: told.at(-2)?.run },
    ]);
    expect((await history.until(huge ?? '', 'succeeded')).at(-1)).toMatchObject({
      resultProblem: expect.stringContaining('65536'),
    });
    const dead = (await history.until(hopeless ?? '', 'dead')).at(-1);
    expect(dead).toMatchObject({
      reason: 'non_retryable',
      error: { name: 'NonRetryableError', message: 'no mailbox [redacted]' },
    });
    const retried = (await history.until(later ?? '', 'dead')).filter(
      ({ kind }) => kind !== 'queued',
    );
    expect(kinds(retried)).toEqual(['started', 'retrying', 'started', 'dead']);
    expect(retried.map(({ attempt }) => attempt)).toEqual([1, 1, 2, 2]);
    expect(retried[1]).toMatchObject({ isSpent: true, error: { name: 'TypeError' } });
    expect((retried[2]?.run ?? '') > (retried[0]?.run ?? '')).toBe(true);
    const putOff = (await history.until(snoozed ?? '', 'succeeded')).find(
      ({ kind }) => kind === 'retrying',
    );
    expect(putOff).toMatchObject({ isSpent: false, attempt: 1 });
    expect(kinds(await history.until(expired, 'expired'))).not.toContain('started');
  });

  it('tells of runs that a shutdown interrupted, and of those that follow', async () => {
    const jobs = await here.connect();
    const running = new Gate();
    const first = await here.work(
      [
        handle(other, async (_, { signal }) => {
          running.open();
          await new Promise<void>((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error('stopped')));
          });
        }),
      ],
      { shutdownGraceMs: 100 },
    );
    const { id } = await jobs.publish(other, {});
    await running.opened;
    await first.stop();
    const told = await history.until(id, 'interrupted');
    expect(told.at(-1)).toMatchObject({ reason: expect.stringContaining('shutting down') });
    await here.work([handle(other, () => 'done')]);
    const all = (await history.until(id, 'succeeded')).filter(({ kind }) => kind !== 'queued');
    expect(kinds(all)).toEqual(['started', 'interrupted', 'started', 'succeeded']);
    expect(new Set(all.map(({ attempt }) => attempt))).toEqual(new Set([1]));
    expect(history.workers.size).toBeGreaterThan(0);
  });

  it('has every line under a handler name its job, whoever logs it; without one, those of `log`', async () => {
    const jobs = await here.connect();
    const { logger, lines } = quietTelemetry();
    const service = logger.child({ part: 'mailbox' });
    const say = async ({ id }: { readonly id: string }, { log }: { readonly log: Logger }) => {
      log.info(`log of ${id}`);
      await turn();
      service.info(`service in ${id}`);
    };
    const linesOf = async (history: boolean) => {
      const worker = await here.work([handle(other, say)], { logger, history });
      const { id } = await jobs.publish(other, {});
      const line = (words: string) => lines.find(({ msg }) => msg === `${words} ${id}`);
      await eventually('it has run', () => line('service in') !== undefined);
      await worker.stop();
      return { id, log: line('log of'), own: line('service in') };
    };
    const kept = await linesOf(true);
    const named = {
      job_type: other.type,
      attempt: 1,
      queue: here.topology.names.workQueue(other.type),
    };
    expect(kept.log).toMatchObject({ ...named, job_id: kept.id });
    expect(kept.own).toMatchObject({ ...named, job_id: kept.id, part: 'mailbox' });
    const unkept = await linesOf(false);
    expect(unkept.log).toMatchObject({ ...named, job_id: unkept.id });
    expect(unkept.own).not.toHaveProperty('job_id');
  });

  it('keeps what the handler says, wherever it says it, without personal data', async () => {
    const jobs = await here.connect();
    const logger = createLogger({ service: 'test', level: 'info', destination: { write() {} } });
    await here.work([
      handle(personal, async (job, { log, progress }) => {
        progress(0.1, `to ${job.payload.to}`);
        for (let step = 0; step < 1_000; step += 1) progress(0.2 + step / 2_000);
        log.info({ to: job.payload.to, size: 3, payload: job.payload }, 'begun');
        await new Promise((resolve) => setImmediate(resolve));
        logger.child({ part: 'smtp' }).warn('%s is slow', job.payload.to);
        expect(() => progress(Number.NaN)).toThrow('progress: expected a number from 0 to 1');
        progress(1);
      }),
      handle(other, () => void logger.error('of another job')),
    ]);
    const { id } = await jobs.publish(personal, { to, mode: 'log' });
    await jobs.publish(other, {});
    const told = await history.until(id, 'succeeded');
    const lines = told.filter((event) => event.kind === 'log');
    expect(lines).toMatchObject([
      { seq: 1, level: 'info', message: 'begun' },
      { seq: 2, level: 'warn', message: '[redacted] is slow', fields: '{"part":"smtp"}' },
    ]);
    expect(JSON.parse(lines[0]?.fields ?? '')).toEqual({
      to: '[redacted]',
      size: 3,
      payload: '[redacted]',
    });
    const progress = told.filter((event) => event.kind === 'progress');
    expect(progress[0]).toMatchObject({ fraction: 0.1, message: 'to [redacted]' });
    expect(progress.at(-1)).toMatchObject({ fraction: 1 });
    expect(progress.length).toBeLessThan(20);
    expect(new Set(told.filter(({ run }) => run !== '').map(({ run }) => run)).size).toBe(1);
  });
});
