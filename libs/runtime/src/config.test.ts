import { ConfigInvalidError } from '@warren/contracts';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { loadConfig } from './config.ts';
import { flag, oneOf, port, text, wholeNumber } from './schemas.ts';
import { defineConfig, setting } from './setting.ts';

const definition = defineConfig({
  PORT: setting({ schema: port(), description: 'port', default: '3000' }),
  SMTP_URL: setting({ schema: z.url('a URL'), description: 'mail server' }),
  WORKERS: setting({
    schema: wholeNumber({ min: 1, max: 8 }),
    description: 'how many',
    default: '2',
  }),
  MODE: setting({ schema: oneOf(['fast', 'safe']).optional(), description: 'mode' }),
  TRACE: setting({ schema: flag(), description: 'trace', default: 'off' }),
  API_KEY: setting({
    schema: text().min(8, 'at least 8 characters').optional(),
    description: 'key',
    secret: true,
  }),
});
const valid = { SMTP_URL: 'smtp://mail' };

function messageFor(env: Record<string, string>): string {
  try {
    loadConfig(definition, env);
  } catch (error) {
    if (error instanceof ConfigInvalidError) return error.message;
  }
  throw new Error('was accepted');
}

describe('loadConfig', () => {
  test('reads typed values and fills in defaults', () => {
    const config = loadConfig(definition, { ...valid, PORT: '80', TRACE: 'yes' });
    expectTypeOf(config.PORT).toEqualTypeOf<number>();
    expectTypeOf(config.MODE).toEqualTypeOf<'fast' | 'safe' | undefined>();
    expect(config).toEqual({
      PORT: 80,
      SMTP_URL: 'smtp://mail',
      WORKERS: 2,
      MODE: undefined,
      TRACE: true,
      API_KEY: undefined,
    });
  });

  test('takes an empty variable for unset', () => {
    const config = loadConfig(definition, { ...valid, PORT: '', MODE: '', API_KEY: '' });
    expect(config).toMatchObject({ PORT: 3000, MODE: undefined, API_KEY: undefined });
    expect(messageFor({ SMTP_URL: '' })).toBe('SMTP_URL: is not set; it must be a URL');
  });

  test.each([
    [{ PORT: '65536' }, 'PORT: must be a whole number from 0 to 65535, not "65536"'],
    [{ PORT: '3000x' }, 'PORT: must be a whole number from 0 to 65535, not "3000x"'],
    [{ PORT: '1e3' }, 'PORT: must be a whole number from 0 to 65535, not "1e3"'],
    [{ WORKERS: '0' }, 'WORKERS: must be a whole number from 1 to 8, not "0"'],
    [{ WORKERS: ' 2' }, 'WORKERS: must be a whole number from 1 to 8, not " 2"'],
    [{ MODE: 'slow' }, 'MODE: must be one of fast, safe, not "slow"'],
    [{ TRACE: 'maybe' }, 'TRACE: must be true or false, not "maybe"'],
  ])('%j is refused by name', (env, message) => {
    expect(messageFor({ ...valid, ...env })).toBe(message);
  });

  test('names all that is wrong at once, the first also as `setting`', () => {
    const env = { PORT: 'http', MODE: 'slow' };
    expect(
      messageFor(env)
        .split('\n')
        .map((line) => line.split(':')[0]),
    ).toEqual(['PORT', 'SMTP_URL', 'MODE']);
    expect(() => loadConfig(definition, env)).toThrow(
      expect.objectContaining({ setting: 'PORT', code: 'CONFIG_INVALID' }),
    );
  });

  test('shows no secret, not even one that the schema quotes', () => {
    const quoting = defineConfig({
      KEY: setting({
        schema: z
          .string()
          .refine((value) => value.length > 99, { error: ({ input }) => `longer than ${input}` }),
        description: 'key',
        secret: true,
      }),
    });
    expect(messageFor({ ...valid, API_KEY: 'hunter2' })).toBe(
      'API_KEY: must be at least 8 characters (its value is secret and not shown)',
    );
    expect(() => loadConfig(quoting, { KEY: 'hunter2' })).toThrow(
      'must be longer than (secret) (its',
    );
  });

  test('shows no password of a URL', () => {
    const strict = defineConfig({
      DATABASE_URL: setting({
        schema: z.string().regex(/^postgres:/, 'a postgres URL'),
        description: 'db',
      }),
    });
    expect(() => loadConfig(strict, { DATABASE_URL: 'mysql://app:hunter2@db' })).toThrow(
      'DATABASE_URL: must be a postgres URL, not "mysql://app:[redacted]@db"',
    );
  });

  test('cuts a long value short', () => {
    expect(messageFor({ ...valid, MODE: 'x'.repeat(100_000) }).length).toBeLessThan(300);
  });
});
