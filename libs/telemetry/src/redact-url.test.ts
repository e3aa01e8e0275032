import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactUrl, redactUrlsIn } from './redact-url.ts';

describe('redactUrl', () => {
  test.each([
    ['amqp://guest:guest@127.0.0.1:5672/jobs', 'amqp://guest:[redacted]@127.0.0.1:5672/jobs'],
    ['amqps://u:p%40ss@[::1]:5671', 'amqps://u:[redacted]@[::1]:5671'],
    [
      'postgres://app:pw@db/warren?sslmode=require',
      'postgres://app:[redacted]@db/warren?sslmode=require',
    ],
    [
      'postgres://db/warren?password=pw&user=app',
      'postgres://db/warren?password=[redacted]&user=app',
    ],
    ['smtp://mail:pw@smtp.example.com:587', 'smtp://mail:[redacted]@smtp.example.com:587'],
    ['amqp://a:b@one,amqps://c:d@two', 'amqp://a:[redacted]@one,amqps://c:[redacted]@two'],
    ['amqp://127.0.0.1:5672', 'amqp://127.0.0.1:5672'],
    ['amqp://guest@broker', 'amqp://guest@broker'],
    [
      'https://example.com:80/to?mail=bob@example.com',
      'https://example.com:80/to?mail=bob@example.com',
    ],
    ['amqp://u:p@s:s/#?%$&+ @broker', 'amqp://[redacted]@broker'],
    ['amqp://u:1/a@ss@broker', 'amqp://[redacted]@broker'],
    ['amqp://:pw@broker', 'amqp://[redacted]@broker'],
    ['', ''],
  ])('%s', (url, expected) => {
    expect(redactUrl(url)).toBe(expected);
  });

  test('no password shows, encoded or not', () => {
    const password = fc
      .string({ minLength: 6, unit: 'grapheme-ascii' })
      .map((tail) => `Zq9${tail}Zq9`);
    fc.assert(
      fc.property(password, fc.boolean(), (secret, encoded) => {
        const url = `amqp://user:${encoded ? encodeURIComponent(secret) : secret}@broker:5672/v`;
        expect(redactUrl(url)).not.toMatch(/Zq9/);
      }),
      { numRuns: 1_000 },
    );
  });
});

test('URLs in a text are found', () => {
  expect(redactUrlsIn('from amqp://a:b@c to "smtp://d:e@f", mail g@h')).toBe(
    'from amqp://a:[redacted]@c to "smtp://d:[redacted]@f", mail g@h',
  );
});
