import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ConfigInvalidError } from './errors.ts';
import {
  namingDefinition,
  type PayloadOptions,
  resolvePayload,
  type Upgrade,
} from './payload-definition.ts';

const schema = z.object({ name: z.string() });
const same: Upgrade = (payload) => payload;

function resolve(options: object) {
  return resolvePayload({ type: 'a.b', schema, ...options } as PayloadOptions<
    'a.b',
    typeof schema
  >);
}

function refused(options: object): ConfigInvalidError {
  try {
    resolve(options);
  } catch (error) {
    if (error instanceof ConfigInvalidError) return error;
    throw error;
  }
  throw new Error('it was taken');
}

describe('version and upgrade', () => {
  it('are 1 and no step unless said otherwise', () => {
    expect(resolve({})).toMatchObject({ version: 1, upgrades: [] });
    expect(resolve({ version: undefined, upgrade: undefined })).toMatchObject({ version: 1 });
    expect(resolve({ upgrade: {} })).toMatchObject({ version: 1, upgrades: [] });
  });

  it('give the steps in the order of their versions', () => {
    const second: Upgrade = () => 2;
    const third: Upgrade = () => 3;
    const { upgrades } = resolve({ version: 4, upgrade: { 3: third, 1: same, 2: second } });
    expect(upgrades).toEqual([same, second, third]);
    expect(Object.isFrozen(upgrades)).toBe(true);
  });

  it.each([0, -1, 1.5, 1_001, '2', Number.NaN, true])('name version: %j', (version) => {
    expect(refused({ version, upgrade: { 1: same } }).setting).toBe('version');
  });

  it.each<[string, object, RegExp]>([
    ['no step at all', { version: 2 }, /needs a step \(a function\) from version 1/],
    ['a gap', { version: 4, upgrade: { 1: same, 3: same } }, /from version 2/],
    ['a step that is none', { version: 2, upgrade: { 1: 'same' } }, /from version 1/],
    ['a step from this version', { version: 2, upgrade: { 1: same, 2: same } }, /step from 2/],
    ['a step without a version', { upgrade: { 1: same } }, /step from 1, and the version is 1/],
    ['a step from 0', { version: 2, upgrade: { 0: same, 1: same } }, /step from 0/],
    ['a step from half', { version: 3, upgrade: { 1: same, 1.5: same, 2: same } }, /from 1\.5/],
    ['a step spelt oddly', { version: 2, upgrade: { '01': same, 1: same } }, /from 01/],
    ['a step from a word', { version: 2, upgrade: { first: same } }, /from first/],
    ['a function', { version: 2, upgrade: same }, /expected steps/],
    ['a text', { version: 2, upgrade: 'same' }, /expected steps/],
    ['a number', { upgrade: 5 }, /expected steps/],
  ])('name upgrade: %s', (_, options, message) => {
    expect(refused(options)).toMatchObject({
      setting: 'upgrade',
      message: expect.stringMatching(message),
    });
  });
});

describe('the other options', () => {
  it.each<[string, unknown]>([
    ['schema', undefined],
    ['schema', null],
    ['schema', { '~standard': {} }],
    ['description', 5],
    ['description', null],
    ['maxPayloadBytes', 0],
    ['maxPayloadBytes', '1MiB'],
    ['maxPayloadBytes', 16 * 1024 * 1024 + 1],
    ['pii', 'name'],
    ['pii', [1]],
  ])('name %s: %j', (name, value) => {
    expect(refused({ [name]: value }).setting).toBe(name);
  });
});

describe('namingDefinition', () => {
  it('adds the definition to the option', () => {
    const wrong = () => {
      throw new ConfigInvalidError('version', 'expected: a number');
    };
    const name = () => namingDefinition('event a.b', wrong);
    expect(name).toThrow('event a.b: version: expected: a number');
    expect(name).toThrow(expect.objectContaining({ setting: 'event a.b: version' }));
  });

  it('leaves other errors alone', () => {
    const error = new TypeError('unforeseen');
    const wrong = () => {
      throw error;
    };
    expect(() => namingDefinition('event a.b', wrong)).toThrow(error);
  });
});
