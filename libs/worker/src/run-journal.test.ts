import type { HistoryEvent } from '@warren/history';
import { createLogger } from '@warren/telemetry';
import { describe, expect, it } from 'vitest';
import { aMessage } from './a-message.fixture.ts';
import { JobHistory } from './job-history.ts';
import { RunContext } from './run-context.ts';
import { journalOf, MAX_LINES, RunJournal } from './run-journal.ts';

const job = { id: 'j1', type: 'a.b', attempt: 2, queue: 'q' };
const aJob = {
  ...job,
  payload: {},
  generation: 0,
  publishedAtMs: undefined,
  correlationId: undefined,
  headers: {},
};

function journal(redact?: (text: string) => string) {
  const events: HistoryEvent[] = [];
  const sink = {
    record: (event: HistoryEvent) => void events.push(event),
    recordFinal: () => undefined,
  };
  const history = new JobHistory({ sink, worker: 'w', queue: 'q', typeOf: () => 'a.b' });
  const parts = { history, message: aMessage(), job, run: 'run-1', redact };
  return { events, run: new RunJournal(parts) };
}
const line = (msg: string) => `${JSON.stringify({ level: 'info', msg })}\n`;

const nobody = { history: undefined, message: aMessage(), job, run: 'run-1', isTraced: false };

describe('RunJournal', () => {
  it('is there where somebody is told, something is hidden or a trace leads through, and nowhere else', () => {
    expect(journalOf(nobody)).toBeUndefined();
    expect(journalOf({ ...nobody, isTraced: true })).toBeDefined();
  });

  it('says whose the lines are, also of a handler that outlasts its run', () => {
    const { run } = journal();
    run.end();
    expect(run.job).toEqual({ job_id: 'j1', job_type: 'a.b', attempt: 2, queue: 'q' });
  });

  it('tells lines in their order, and that there were more than it keeps', () => {
    const { events, run } = journal();
    for (let n = 1; n <= MAX_LINES + 5; n += 1) run.take(line(`${n}`));
    expect(events).toHaveLength(MAX_LINES + 1);
    expect(events[0]).toMatchObject({ kind: 'log', run: 'run-1', seq: 1, message: '1' });
    expect(events.at(-1)).toMatchObject({ level: 'warn', message: expect.stringContaining('cut') });
  });

  it('is told the lines of the run, from info up, of a process that writes fewer', () => {
    const { events, run } = journal();
    const written: string[] = [];
    const destination = { write: (text: string) => void written.push(text) };
    const logger = createLogger({ service: 'test', level: 'warn', destination });
    const { log } = new RunContext(aJob, logger, { journal: run });
    log.debug('nowhere');
    log.info('in the job alone');
    log.warn('in both');
    logger.info('of another');
    expect(events).toMatchObject([
      { level: 'info', message: 'in the job alone' },
      { level: 'warn', message: 'in both' },
    ]);
    expect(written).toEqual([expect.stringContaining('in both')]);
  });

  it('has no line made where nobody is told', () => {
    expect(new RunJournal(nobody).level).toBeUndefined();
  });

  it('tells the last progress at its end, and nothing that comes later', () => {
    const { events, run } = journal();
    run.progress(0.1, 'first');
    run.progress(0.2, undefined);
    run.end();
    run.progress(0.3, undefined);
    run.take(line('late'));
    expect(events.map((event) => event.kind === 'progress' && event.fraction)).toEqual([0.1, 0.2]);
  });

  it("hides personal data in the process's own log, with or without a history", () => {
    const hide = (text: string) => text.replaceAll('info', '[redacted]');
    const silent = journalOf({ ...nobody, redact: hide });
    for (const run of [silent, journal(hide).run]) {
      run?.take(line('no info'));
      run?.progress(1, undefined);
      expect(JSON.parse(run?.show(line('no info')) ?? '')).toEqual({
        level: 'info',
        msg: 'no [redacted]',
      });
    }
    expect(journal().run.show(line('no info'))).toBe(line('no info'));
  });

  it('hides personal data in both', () => {
    const { events, run } = journal((text) => text.replace('ada', '[redacted]'));
    run.take(line('to ada'));
    run.progress(0.5, 'to ada');
    expect(events.map((event) => 'message' in event && event.message)).toEqual([
      'to [redacted]',
      'to [redacted]',
    ]);
  });
});
