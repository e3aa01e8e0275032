import { ConfigInvalidError, HeaderInvalidError } from '@warren/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkEmitOptions, checkPublishOptions, type PublishOptions } from './publish-options.ts';

const NOW_MS = 1_800_000_000_000;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const ID = '019a0000-0000-7000-8000-00000000000f';

const check = (options: unknown, maxAgeMs = WEEK_MS, lanes = true) =>
  checkPublishOptions(options as PublishOptions, NOW_MS, { type: 'a.b', maxAgeMs, lanes });
const inMs = (ms: number) => new Date(NOW_MS + ms);

function refused(run: () => unknown): ConfigInvalidError {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigInvalidError) return error;
    throw error;
  }
  throw new Error('it was taken');
}

const WRONG: readonly [string, unknown][] = [
  ['id', 'order-1'],
  ['id', null],
  ['correlationId', ''],
  ['correlationId', 'c'.repeat(256)],
  ['timeoutMs', 0],
  ['timeoutMs', '5s'],
  ['expiresIn', '0ms'],
  ['expiresIn', '0.4ms'],
  ['expiresIn', 5_000],
  ['expiresIn', 'soon'],
  ['expiresIn', null],
  ['expiresIn', '-5s'],
  ['priority', 5],
  ['jobId', ID],
];

const WRONG_FOR_JOBS: readonly [string, unknown][] = [
  ['idempotencyKey', ''],
  ['idempotencyKey', 7],
  ['idempotencyKey', null],
  ['idempotencyKey', 'k'.repeat(1_025)],
  ['idempotencyKey', '語'.repeat(342)],
  ['idempotencyKey', '\ud83d'],
  ['delay', 5],
  ['delay', '5'],
  ['delay', null],
  ['delay', '-1s'],
  ['delay', '86400001ms'],
  ['delay', '25h'],
  ['runAt', NOW_MS],
  ['runAt', inMs(0).toISOString()],
  ['runAt', null],
  ['runAt', new Date(Number.NaN)],
  ['runAt', inMs(DAY_MS + 1)],
  ['lane', 'urgent'],
  ['lane', null],
  ['lane', 'toString'],
];

describe('checkPublishOptions', () => {
  it.each([...WRONG, ...WRONG_FOR_JOBS])('names %s: %j', (name, value) => {
    expect(refused(() => check({ [name]: value })).setting).toBe(name);
  });

  it.each<[string, object]>([
    ['idempotencyKey', { idempotencyKey: 'k', id: ID }],
    ['runAt', { runAt: inMs(5), delay: '5ms' }],
    ['runAt', { runAt: inMs(-5), delay: '0ms' }],
    ['expiresIn', { delay: '5s', expiresIn: '5s' }],
    ['expiresIn', { runAt: inMs(5_000), expiresIn: '1s' }],
  ])('names %s, which does not go with the rest of %j', (name, options) => {
    expect(refused(() => check(options)).setting).toBe(name);
  });

  it.each<[string, object]>([
    ['delay', { delay: '61m' }],
    ['runAt', { runAt: inMs(3_600_001) }],
  ])('names %s, over which the job would grow older than its maxAge', (name, options) => {
    expect(refused(() => check(options, 3_600_000)).setting).toBe(name);
    expect(check(options, 3_660_000).delayMs).toBeGreaterThan(3_600_000);
  });

  it('knows lanes where the job type has them, and names the option where it has none', () => {
    expect(check({ lane: 'high' }).lane).toBe('high');
    expect(refused(() => check({ lane: 'low' }, WEEK_MS, false)).message).toContain(
      'a.b has no lanes',
    );
    for (const options of [{ lane: 'normal' }, {}, undefined]) {
      expect(check(options, WEEK_MS, false).lane).toBe('normal');
    }
  });

  it('leaves headers to their own check', () => {
    expect(() => check({ headers: { 'x-a': 1 } })).toThrow(HeaderInvalidError);
  });

  it('makes times absolute and delays relative', () => {
    expect(check({ delay: '24h', expiresIn: '25h' })).toMatchObject({
      delayMs: DAY_MS,
      expiresAtMs: NOW_MS + 25 * 3_600_000,
    });
    expect(check({ runAt: inMs(DAY_MS) }).delayMs).toBe(DAY_MS);
    expect(check({ runAt: inMs(1_234) }).delayMs).toBe(1_234);
  });

  it.each<[string, object]>([
    ['no delay', {}],
    ['a delay of nothing', { delay: '0s' }],
    ['a time that is now', { runAt: inMs(0) }],
    ['a time that is over', { runAt: inMs(-1) }],
    ['a time that is long over', { runAt: new Date(0) }],
    ['undefined', { delay: undefined, runAt: undefined, expiresIn: undefined, id: undefined }],
  ])('takes %s for now', (_, options) => {
    expect(check(options)).toMatchObject({ delayMs: 0, expiresAtMs: undefined });
  });

  it('has the same for no options at all', () => {
    expect(check(undefined)).toEqual(check({}));
  });

  it('takes or names whatever it is given', () => {
    const option = fc.constantFrom(...[...WRONG, ...WRONG_FOR_JOBS].map(([name]) => name));
    fc.assert(
      fc.property(fc.dictionary(option, fc.anything()), (options) => {
        try {
          const { delayMs } = check(options);
          expect(delayMs).toBeGreaterThanOrEqual(0);
          expect(delayMs).toBeLessThanOrEqual(DAY_MS);
        } catch (error) {
          expect(Object.keys(options)).toContain((error as ConfigInvalidError).setting);
        }
      }),
    );
  });
});

it.each(['unique', 'throttle', 'debounce', 'maxWait', 'uniqueKey'])(
  'says of %s that it needs the store, which a client has not',
  (option) => {
    const options = { [option]: '5m' } as PublishOptions;
    expect(() => check(options)).toThrowError(
      expect.objectContaining({ code: 'OPTION_NEEDS_STORE', option }),
    );
  },
);

describe('checkEmitOptions', () => {
  const emit = (options: unknown) => checkEmitOptions(options as PublishOptions, NOW_MS);

  it.each(WRONG)('names %s: %j', (name, value) => {
    expect(refused(() => emit({ [name]: value })).setting).toBe(name);
  });

  it.each(['delay', 'runAt', 'idempotencyKey', 'lane', 'unique'])('does not know %s', (name) => {
    expect(refused(() => emit({ [name]: '5s' })).setting).toBe(name);
  });

  it('takes what is common to jobs and events', () => {
    const headers = { tenant: 'acme' };
    expect(
      emit({ id: ID, correlationId: 'c', headers, timeoutMs: 5, expiresIn: '1s' }),
    ).toMatchObject({
      id: ID,
      correlationId: 'c',
      headers,
      timeoutMs: 5,
      expiresAtMs: NOW_MS + 1_000,
      delayMs: 0,
    });
  });
});
