import type { Jobs, PublishHeaders } from '@warren/client';
import { anyJob, endingOf, type Installation, install } from '@warren/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const job = anyJob('probe.run');

let here: Installation;
let jobs: Jobs;
beforeAll(async () => {
  here = await install([job]);
  jobs = await here.connect();
});
afterAll(() => here.dispose());
afterEach(async () => void (await takeHeaders()));

/** The headers of all jobs in the queue, but for the one that RabbitMQ 3.10 adds. */
async function takeHeaders(): Promise<unknown[]> {
  const messages = await here.admin.take(here.topology.names.workQueue(job.type));
  return messages.map(({ properties }) => {
    const { 'x-delivery-count': _added, ...headers } = properties.headers ?? {};
    return headers;
  });
}
/** What a caller in JavaScript, or a careless cast, may hand over. */
const publishWith = (headers: unknown, payload: unknown = 0) =>
  jobs.publish(job, payload, { headers: headers as PublishHeaders });

const SENT: readonly (readonly [string, PublishHeaders])[] = [
  ['text', { tenant: 'grüße 漢 💡', empty: '' }],
  ['the longest text', { text: 'x'.repeat(1_024) }],
  ['small integers', { a: 0, b: -1, c: 127, d: -128, e: 128, f: -32_768, g: 32_768 }],
  ['large integers', { a: 2 ** 31, b: -(2 ** 31) - 1, c: Number.MAX_SAFE_INTEGER, d: 2 ** 63 }],
  ['negative large integers', { a: Number.MIN_SAFE_INTEGER, b: -(2 ** 63) }],
  ['fractions', { a: 0.1, b: -2.5, c: 1e-300, d: 1.7e308, e: 2 ** 50 - 0.5 }],
  ['booleans', { yes: true, no: false }],
  ['names beyond ASCII', { größe: 1, 漢: '字', 'a b': 'c' }],
  ['names that objects inherit', { toString: 'x', hasOwnProperty: 1 } as unknown as PublishHeaders],
  ['as many as allowed', Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`h${n}`, n]))],
];

/** Names of the header that is to be blamed, and the headers. */
const REFUSED: readonly (readonly [string, string, unknown])[] = [
  ['undefined', 'bad', { bad: undefined }],
  ['null', 'bad', { bad: null }],
  ['a bigint', 'bad', { bad: 10n }],
  ['NaN', 'bad', { bad: Number.NaN }],
  ['-Infinity', 'bad', { bad: -Infinity }],
  ['a fraction that amqplib cannot encode', 'bad', { bad: 2 ** 50 + 0.5 }],
  ['a number that amqplib cannot encode', 'bad', { bad: -1e300 }],
  ['a function', 'bad', { bad: () => 1 }],
  ['a symbol', 'bad', { bad: Symbol('s') }],
  ['a date', 'bad', { bad: new Date() }],
  ['a map', 'bad', { bad: new Map([['a', 1]]) }],
  ['a list', 'bad', { bad: [1] }],
  ['a buffer', 'bad', { bad: Buffer.from('x') }],
  ['a wire type of its own', 'bad', { bad: { '!': 'timestamp', value: 'boom' } }],
  ['an unknown wire type', 'bad', { bad: { '!': 'nope' } }],
  ['half a surrogate pair', 'bad', { bad: 'a\ud800b' }],
  ['half a surrogate pair in the name', 'a\udc00', { 'a\udc00': 1 }],
  ['text that is too long', 'bad', { bad: 'ä'.repeat(513) }],
  ['a name that is too long', 'ü'.repeat(51), { ['ü'.repeat(51)]: 1 }],
  ['an empty name', '', { '': 1 }],
  ['a name of the kit', 'x-attempt', { 'x-attempt': 3 }],
  ['a name of the kit in capitals', 'X-Attempt', { 'X-Attempt': 3 }],
  ['a routing header', 'CC', { CC: 'elsewhere' }],
  ['__proto__', '__proto__', JSON.parse('{"__proto__":{"x-attempt":0}}')],
  ['__proto__ with a plain value', '__proto__', JSON.parse('{"__proto__":"x"}')],
  ['too many', 'headers', Object.fromEntries(Array.from({ length: 31 }, (_, n) => [`h${n}`, n]))],
  ['no object', 'headers', 'text'],
  ['a number', 'headers', 7],
  ['null instead of headers', 'headers', null],
  ['a list instead of headers', 'headers', ['a']],
  ['a map instead of headers', 'headers', new Map([['a', 1]])],
];

describe('headers', () => {
  it.each(SENT)('arrive as they were given: %s', async (_, headers) => {
    await publishWith(headers);
    expect(await takeHeaders()).toEqual([headers]);
  });

  it.each(REFUSED)('are refused by name: %s', async (_, header, headers) => {
    const refused = expect(publishWith(headers)).rejects;
    await refused.toMatchObject({ code: 'HEADER_INVALID', header });
    await expect(publishWith({ fine: 1 })).resolves.toMatchObject({ id: expect.any(String) });
    expect(await takeHeaders()).toEqual([{ fine: 1 }]);
  });

  it('are the own ones only, whatever their object inherits', async () => {
    await publishWith(Object.assign(Object.create({ 'x-attempt': 9, inherited: 1 }), { own: 1 }));
    expect(await takeHeaders()).toEqual([{ own: 1 }]);
  });

  it('are those at the time of the call, whatever becomes of the object afterwards', async () => {
    const headers: Record<string, unknown> = { step: 1 };
    const publishing = publishWith(headers);
    headers['step'] = 10n;
    headers['x-attempt'] = 5;
    await publishing;
    expect(await takeHeaders()).toEqual([{ step: 1 }]);
  });

  it('that are refused a hundred times do no harm to publishes beside them', async () => {
    const endings = Array.from({ length: 100 }, (_, n) => [
      endingOf(publishWith({ x: { '!': 'int8', value: 9_999 } })),
      endingOf(publishWith({ n })),
    ]);
    const expected = endings.flatMap(() => ['HEADER_INVALID', 'ok']);
    expect(await Promise.all(endings.flat())).toEqual(expected);
    expect(await takeHeaders()).toHaveLength(100);
    expect(here.lines.filter(({ level }) => level !== 'info')).toEqual([]);
  });
});

describe('other properties', () => {
  it.each([
    ['too long', 'x'.repeat(256)],
    ['too long in bytes', 'ü'.repeat(128)],
    ['empty', ''],
    ['not text', 7],
    ['half a surrogate pair', '\ud800'],
  ])('a correlation id is refused by name: %s', async (_, correlationId) => {
    const options = { correlationId: correlationId as string };
    await expect(jobs.publish(job, 0, options)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      setting: 'correlationId',
    });
  });

  it.each([
    ['id', { id: '../../etc' }],
    ['id', { id: 7 }],
    ['timeoutMs', { timeoutMs: Number.NaN }],
    ['timeoutMs', { timeoutMs: '100' }],
    ['timeoutMs', { timeoutMs: null }],
    ['delay', { delay: 5_000 }],
    ['__proto__', JSON.parse('{"__proto__":1}')],
  ])('the option %s is refused by name', async (setting, options) => {
    await expect(jobs.publish(job, 0, options as object)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      setting,
    });
  });
});

describe('a payload', () => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;

  it.each([
    ['with a __proto__ key', JSON.parse('{"a":{"__proto__":{"x-attempt":0}}}'), 'a.__proto__'],
    ['with a bigint', { n: 10n }, ''],
    ['with a cycle', cycle, ''],
    ['with NaN', { list: [1, Number.NaN] }, 'list.1'],
    ['that is undefined', undefined, ''],
    ['that is a function', () => 1, ''],
  ])('is refused before anything is sent: %s', async (_, payload, path) => {
    const neighbours = [publishWith({ n: 1 }), jobs.publish(job, payload), publishWith({ n: 2 })];
    expect(await Promise.all(neighbours.map(endingOf))).toEqual(['ok', 'PAYLOAD_INVALID', 'ok']);
    await expect(jobs.publish(job, payload)).rejects.toMatchObject({ issues: [{ path }] });
    expect(await takeHeaders()).toEqual([{ n: 1 }, { n: 2 }]);
  });
});
