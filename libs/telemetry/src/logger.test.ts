import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { memoryLog } from './fixtures/memory-log.ts';
import { LOG_LEVELS } from './log-levels.ts';
import { jobLogger } from './logger.ts';

const CANARY = 'c4nary-s3cret';

describe('a log line', () => {
  test('is JSON with the level as a word, ISO time and service', () => {
    const { logger, text, last } = memoryLog();
    logger.warn({ queue: 'email.send' }, 'slow %s', 'handler');
    expect(text[0]).toMatch(/}\n$/);
    expect(last()).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      service: 'test',
      queue: 'email.send',
      msg: 'slow handler',
    });
  });

  test.each(LOG_LEVELS.filter((level) => level !== 'silent'))('exists at level %s', (level) => {
    const { logger, last } = memoryLog(level);
    logger[level]('here');
    expect(last()).toMatchObject({ level, msg: 'here' });
  });

  test('below the level does not exist', () => {
    const { logger, text } = memoryLog('error');
    logger.warn('not here');
    expect(text).toEqual([]);
  });

  test('of a job carries id, type, attempt and queue', () => {
    const { logger, last } = memoryLog();
    const context = { jobId: 'j1', jobType: 'email.send', attempt: 2, queue: 'email.send' };
    jobLogger(logger, context).info('run');
    expect(last()).toMatchObject({
      job_id: 'j1',
      job_type: 'email.send',
      attempt: 2,
      queue: 'email.send',
    });
  });
});

describe('secrets never reach the output', () => {
  const secrets = {
    password: CANARY,
    AMQP_PASSWORD: CANARY,
    payload: { to: CANARY },
    headers: { Authorization: CANARY, 'set-cookie': [CANARY] },
    deep: [{ clientSecret: CANARY, 'api-key': CANARY }],
    url: `amqp://guest:${CANARY}@broker`,
    content: Buffer.from(CANARY),
  };

  test.each([
    ['fields', (log) => log.info(secrets, 'x')],
    ['format arguments', (log) => log.info('%j %o', secrets, secrets)],
    ['the message', (log) => log.info(`to ${secrets.url}, now`)],
    ["a child's fields", (log) => log.child(secrets).info('x')],
    ["a grandchild's fields", (log) => log.child({}).child(secrets).info('x')],
    [
      'fields set later',
      (log) => {
        log.setBindings(secrets);
        log.info('x');
      },
    ],
    [
      'an error',
      (log) => log.error(Object.assign(new Error(secrets.url), { config: secrets, token: CANARY })),
    ],
    ['a cause', (log) => log.error({ err: new Error('a', { cause: new Error(secrets.url) }) })],
  ] as [string, (log: ReturnType<typeof memoryLog>['logger']) => void][])(
    'in %s',
    (_where, write) => {
      const { logger, text } = memoryLog();
      write(logger);
      expect(text).toHaveLength(1);
      expect(text[0]).not.toContain(CANARY);
      expect(text[0]).toContain('[redacted]');
    },
  );
});

describe('errors', () => {
  test('keep class, message, stack, code and cause, wherever they stand', () => {
    const cause = Object.assign(new TypeError('refused'), { code: 'ECONNREFUSED', port: 5672 });
    const error = Object.assign(new Error('no broker', { cause }), { code: 'BROKER_UNAVAILABLE' });
    const { logger, lines } = memoryLog();
    logger.error(error);
    logger.error({ err: error }, 'no broker');
    logger.error({ problem: error }, 'no broker');
    const expected = {
      type: 'Error',
      message: 'no broker',
      stack: expect.stringContaining('logger.test.ts'),
      code: 'BROKER_UNAVAILABLE',
      cause: {
        type: 'TypeError',
        message: 'refused',
        stack: expect.any(String),
        code: 'ECONNREFUSED',
        port: 5672,
      },
    };
    expect(lines().map((line) => line['err'] ?? line['problem'])).toEqual([
      expected,
      expected,
      expected,
    ]);
    expect(lines().map((line) => line['msg'])).toEqual(['no broker', 'no broker', 'no broker']);
  });

  test('that hold several keep them', () => {
    const { logger, last } = memoryLog();
    logger.error(new AggregateError([new Error('one'), new Error('two')], 'both'));
    expect(last()['err']).toMatchObject({ errors: [{ message: 'one' }, { message: 'two' }] });
  });
});

describe('logging never throws', () => {
  const circular: Record<string, unknown> = { name: 'ring' };
  circular['self'] = circular;
  const thrower = {
    get bad(): string {
      throw new Error('getter');
    },
  };
  const unprintable = {
    toString() {
      throw new Error('toString');
    },
  };
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();
  const selfCaused = new Error('loop');
  selfCaused.cause = selfCaused;

  test.each([
    ['a BigInt', { id: 9_007_199_254_740_993n }, { id: '9007199254740993' }],
    ['a ring', circular, { name: 'ring', self: '[circular]' }],
    ['a throwing getter', thrower, { bad: '[unreadable]' }],
    ['a revoked proxy', { gone: revoked }, { gone: '[unreadable]' }],
    ['no number', { a: Number.NaN, b: -Infinity }, { a: 'NaN', b: '-Infinity' }],
    ['no date', { at: new Date(Number.NaN) }, { at: 'Invalid Date' }],
    ['a symbol', { s: Symbol('x') }, { s: '[symbol]' }],
    ['a map', { m: new Map([['token', 'x']]) }, { m: { token: '[redacted]' } }],
    ['an error that causes itself', { err: selfCaused }, { err: { cause: '[circular]' } }],
  ])('%s', (_what, value, expected) => {
    const { logger, last } = memoryLog();
    logger.info(value, 'here');
    logger.child(value).info('here');
    expect(last()).toMatchObject({ msg: 'here', ...expected });
  });

  test.each([
    ['%s of what has no text', ['%s', unprintable]],
    ['a revoked proxy alone', [revoked]],
    ['null', [null]],
    ['a function', [() => 1]],
    ['nothing', []],
  ])('%s', (_what, args) => {
    const { logger, text } = memoryLog();
    expect(() => Reflect.apply(logger.info, logger, args)).not.toThrow();
    expect(text).toHaveLength(1);
  });

  test('wide and deep values are cut', () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 10_000; level += 1) deep = { deep };
    const { logger, text } = memoryLog();
    logger.info({ deep, wide: Array.from({ length: 100_000 }, (_, index) => index) });
    expect(text[0]?.length).toBeLessThan(2_000);
    expect(text[0]).toContain('[99900 more]');
  });
});

test('the last line before an exit arrives, behind 1 MB and a slow reader', async () => {
  const script = fileURLToPath(new URL('./fixtures/write-and-exit.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script], { stdio: 'pipe' });
  let text = '';
  child.stdout.setEncoding('utf8');
  await once(child.stdout, 'readable');
  child.stdout.on('data', (chunk: string) => {
    text += chunk;
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(3);
  expect(text.length).toBeGreaterThan(1_000_000);
  expect(JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
    level: 'fatal',
    msg: 'last line',
  });
}, 30_000);
