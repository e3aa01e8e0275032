import type { Job } from '@warren/contracts';
import { createLogger } from '@warren/telemetry';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RunContext } from './run-context.ts';

const job: Job = {
  id: 'job-1',
  type: 'report.render',
  payload: {},
  attempt: 2,
  generation: 0,
  queue: 'report.render',
  publishedAtMs: undefined,
  correlationId: undefined,
  headers: {},
};

function context() {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const logger = createLogger({ service: 'test', level: 'debug', destination });
  const child = vi.spyOn(logger, 'child');
  return { run: new RunContext(job, logger), lines, child };
}

afterEach(() => void vi.unstubAllGlobals());

describe('signal', () => {
  it('is the same each time, and not aborted by itself', () => {
    const { run } = context();
    expect(run.signal.aborted).toBe(false);
    expect(run.signal).toBe(run.signal);
    expect(run.abortReason).toBeUndefined();
  });

  it('is aborted with the first reason', () => {
    const { run } = context();
    const { signal } = run;
    const first = new Error('first');
    run.abort(first);
    run.abort(new Error('second'));
    expect(signal.reason).toBe(first);
    expect(run.abortReason).toBe(first);
  });

  it('is aborted from the start when it is asked for late', () => {
    const { run } = context();
    const reason = new Error('stop');
    run.abort(reason);
    expect(run.signal.aborted).toBe(true);
    expect(run.signal.reason).toBe(reason);
  });

  it('is not made for a handler that does not ask', () => {
    let made = 0;
    class Counted extends AbortController {
      constructor() {
        super();
        made += 1;
      }
    }
    vi.stubGlobal('AbortController', Counted);
    const { run } = context();
    run.abort(new Error('stop'));
    expect(made).toBe(0);
    expect(run.signal.aborted).toBe(true);
    expect(made).toBe(1);
  });
});

describe('log', () => {
  it('is made once, when first asked for', () => {
    const { run, child } = context();
    expect(child).not.toHaveBeenCalled();
    expect(run.log).toBe(run.log);
    expect(child).toHaveBeenCalledOnce();
  });

  it("carries the job's id, type, attempt and queue", () => {
    const { run, lines } = context();
    run.log.info('working');
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'working',
        job_id: 'job-1',
        job_type: 'report.render',
        attempt: 2,
        queue: 'report.render',
      }),
    ]);
  });
});

describe('giving up', () => {
  it('tells the listener of the moment', () => {
    const { run } = context();
    run.giveUp();
    const listener = vi.fn();
    run.onGiveUp(listener);
    run.giveUp();
    run.onGiveUp(undefined);
    run.giveUp();
    expect(listener).toHaveBeenCalledOnce();
  });
});

describe('checkpoints', () => {
  it('are of long jobs only', async () => {
    const { run } = context();
    expect(run.lastCheckpoint).toBeUndefined();
    await expect(run.checkpoint(1)).rejects.toMatchObject({ setting: 'checkpoint' });
  });
});
