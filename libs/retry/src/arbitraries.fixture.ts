import { types } from 'node:util';
import fc from 'fast-check';

/** A random source for the code under test. */
export const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

const jitter = fc.constantFrom('none' as const, 'equal' as const, 'full' as const);
const delayMs = fc.integer({ min: 0, max: 86_400_000 });

/** Every backoff that a job definition can resolve to. */
export const backoff = fc.oneof(
  fc.record({ kind: fc.constant('fixed' as const), delayMs, jitter }),
  fc.record({ kind: fc.constant('linear' as const), stepMs: delayMs, maxMs: delayMs, jitter }),
  fc.record({
    kind: fc.constant('exponential' as const),
    initialMs: delayMs,
    factor: fc.double({ min: 1, max: 100, noNaN: true }),
    maxMs: delayMs,
    jitter,
  }),
  fc.record({
    kind: fc.constant('steps' as const),
    delaysMs: fc.array(delayMs, { minLength: 1, maxLength: 10 }),
    jitter,
  }),
);

const throwingGetters = (...keys: string[]) => {
  const error = new Error('trap');
  for (const key of keys) {
    Object.defineProperty(error, key, {
      get() {
        throw new Error('getter');
      },
    });
  }
  return error;
};

const explode = () => {
  throw new Error('trap');
};

function cyclic(): Error {
  const one = new Error('one');
  const two = new Error('two', { cause: one });
  one.cause = two;
  return one;
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** Values that a handler may throw and that a careless reader stumbles over. */
export const nastyThrown: readonly (readonly [string, unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  ['a text', 'no'],
  ['a symbol', Symbol('no')],
  ['a BigInt', 7n],
  ['a function', () => 7],
  ['a frozen object', Object.freeze({ code: 7, message: {}, stack: [] })],
  ['an object without a prototype', Object.create(null)],
  ['an error with throwing getters', throwingGetters('stack', 'code', 'message', 'name', 'cause')],
  ['an error whose message throws', throwingGetters('message')],
  [
    'a proxy that throws',
    new Proxy({}, { get: explode, getPrototypeOf: explode, ownKeys: explode }),
  ],
  ['a revoked proxy', revoked()],
  ['an error that causes itself', cyclic()],
  ['an AggregateError of nothing', new AggregateError([])],
  ['an error with a revoked list of parts', Object.assign(new Error('x'), { errors: revoked() })],
  ['lone surrogates', new Error('\ud800 and \udfff')],
  ['control characters', new Error('\u0000\u001b[31mred\u0007\r\n\u009b')],
  ['ten million characters', new Error('x'.repeat(10_000_000))],
];

/** fast-check looks into the values that it hands out, which a revoked proxy does not survive. */
const isReadable = (value: unknown) => !types.isProxy(value);

/** Any thrown value at all. */
export const thrown: fc.Arbitrary<unknown> = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
  fc.constantFrom(...nastyThrown.map(([, value]) => value).filter(isReadable)),
  fc
    .record({
      message: fc.string({ unit: 'binary' }),
      name: fc.string(),
      code: fc.constantFrom('NON_RETRYABLE', 'RETRY_AFTER', 'SNOOZE', 'ECONNRESET', '', undefined),
      delayMs: fc.oneof(fc.double(), fc.constantFrom('5', null, undefined)),
      stack: fc.string(),
    })
    .map((fields) => Object.assign(new Error('x'), fields)),
);
