import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { memoryLog } from './fixtures/memory-log.ts';
import { captureLogs, parseLogLine, tieLogger } from './log-capture.ts';
import { jobLogger } from './logger.ts';

function sink() {
  const lines: string[] = [];
  return { take: (line: string) => void lines.push(line), lines };
}
const messages = ({ lines }: { lines: string[] }) =>
  lines.map((line) => parseLogLine(line).message);

describe('a line written under captureLogs', () => {
  it('goes to its sink as it is written, whoever writes it, also later and not to another', async () => {
    const { logger, text } = memoryLog();
    const child = logger.child({ part: 'x' });
    const [one, other] = [sink(), sink()];
    logger.info('before');
    await Promise.all([
      captureLogs(one, async () => {
        logger.info('a %d', 1);
        await turn();
        child.warn({ n: 2 }, 'a 2');
      }),
      captureLogs(other, async () => {
        await turn();
        logger.info('b');
      }),
    ]);
    logger.info('after');
    expect(messages(one)).toEqual(['a 1', 'a 2']);
    expect(messages(other)).toEqual(['b']);
    expect(text).toEqual(expect.arrayContaining([...one.lines, ...other.lines]));
    expect(text).toHaveLength(5);
  });

  it('has no secrets, and is none below the level', () => {
    const { logger } = memoryLog('info');
    const seen = sink();
    captureLogs(seen, () => {
      logger.debug('not here');
      logger.info({ password: 'c4nary', payload: { to: 'c4nary' } }, 'amqp://u:c4nary@host');
    });
    expect(seen.lines).toHaveLength(1);
    expect(seen.lines[0]).not.toContain('c4nary');
  });
});

describe('a logger that is tied to a sink with a level', () => {
  const info = () => ({ ...sink(), level: 'info' as const });

  it.each(['warn', 'silent'] as const)('tells it what is not written at %s', (level) => {
    const { logger, text } = memoryLog(level);
    const seen = info();
    const tied = tieLogger(logger.child({ n: 1 }), seen);
    tied.debug('for nobody');
    tied.info('for the sink');
    tied.child({ part: 'x' }).info('of a child');
    tied.error('for both');
    logger.info('of another');
    expect(messages(seen)).toEqual(['for the sink', 'of a child', 'for both']);
    expect(text.map((line) => parseLogLine(line).message)).toEqual(
      level === 'warn' ? ['for both'] : [],
    );
  });

  it('changes nothing where the logger writes as much', () => {
    const { logger, text } = memoryLog('debug');
    const seen = info();
    tieLogger(logger.child({}), seen).debug('for both');
    expect(messages(seen)).toEqual(['for both']);
    expect(text).toHaveLength(1);
  });
});

describe('a line written under a job', () => {
  const job = { job_id: 'j1', job_type: 'a.b', attempt: 2, queue: 'a.b' };
  const written = (write: (logger: ReturnType<typeof memoryLog>['logger']) => void) => {
    const { logger, text, last } = memoryLog();
    captureLogs({ take: () => {}, job }, () => write(logger));
    expect(text).toHaveLength(1);
    return { line: last(), text: text[0] ?? '' };
  };

  it('names it, whoever writes it and however', () => {
    expect(written((logger) => logger.info('x')).line).toMatchObject({ ...job, msg: 'x' });
    expect(written((logger) => logger.info({ n: 1 }, 'x')).line).toMatchObject({ ...job, n: 1 });
    expect(written((logger) => logger.error(new Error('x'))).line).toMatchObject(job);
    expect(written((logger) => logger.child({ part: 'db' }).info('x')).line).toMatchObject(job);
  });

  it('says what its own fields or its logger say instead, and no name twice', () => {
    const own = written((logger) => logger.info({ job_id: 'published' }, 'x'));
    expect(own.line).toMatchObject({ ...job, job_id: 'published' });
    const { line, text } = written((logger) => logger.child({ queue: 'other' }).info('x'));
    expect(line).toMatchObject({ ...job, queue: 'other' });
    expect(text.split('"queue":')).toHaveLength(2);
  });

  it('names the job of its own logger, once, and none afterwards', () => {
    const { logger, lines, text } = memoryLog();
    const about = { jobId: 'j2', jobType: 'c.d', attempt: 1, queue: 'c.d' };
    captureLogs({ take: () => {}, job }, () => jobLogger(logger, about).info('x'));
    logger.info('after');
    expect(lines()[0]).toMatchObject({ job_id: 'j2', job_type: 'c.d' });
    expect(text[0]?.split('"job_id":')).toHaveLength(2);
    expect(lines()[1]).not.toHaveProperty('job_id');
  });
});

it('a tied logger and its children tell their sink from anywhere, and before any other', () => {
  const { logger } = memoryLog();
  const [own, around] = [sink(), sink()];
  const tied = tieLogger(logger.child({}), own);
  tied.info('1');
  captureLogs(around, () => tied.child({ more: true }).info('2'));
  logger.info('not tied');
  expect(messages(own)).toEqual(['1', '2']);
  expect(around.lines).toEqual([]);
});

describe('parseLogLine', () => {
  it('leaves out what every line of a job carries', () => {
    const { logger, text } = memoryLog();
    const context = { jobId: 'j', jobType: 'a.b', attempt: 1, queue: 'a.b' };
    jobLogger(logger, context).error({ size: 3, err: new Error('x') }, 'failed');
    expect(parseLogLine(text[0] ?? '')).toEqual({
      level: 'error',
      message: 'failed',
      fields: { size: 3, err: expect.objectContaining({ message: 'x' }) },
    });
  });

  it.each([
    ['no JSON', { level: 'info', message: 'no JSON', fields: {} }],
    ['{"level":"silent","msg":5}', { level: 'info', message: '', fields: {} }],
  ])('makes something of %s', (line, expected) => {
    expect(parseLogLine(line)).toEqual(expected);
  });
});
