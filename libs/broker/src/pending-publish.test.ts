import { expect, it } from 'vitest';
import { PendingPublish } from './pending-publish.ts';
import { message } from './publisher.fixture.ts';

function headerBytes(headers: Record<string, unknown>): number {
  const { properties } = message('job-1');
  const publish = message('job-1', { properties: { ...properties, headers } });
  return new PendingPublish(
    publish,
    1_000,
    0,
    () => {},
    () => {},
  ).headerBytes;
}

const circular: Record<string, unknown> = {};
circular['self'] = circular;

it.each([
  ['text', { a: 'ü'.repeat(5_000) }, 10_000],
  ['bytes', { a: Buffer.alloc(10_000) }, 10_000],
  ['a table', { a: { b: { c: 'x'.repeat(10_000) } } }, 10_000],
  ['a list', { a: Array.from({ length: 100 }, () => 'x'.repeat(100)) }, 10_000],
  ['numbers', Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`h${at}`, at])), 8_000],
  ['nothing that can be encoded', { circular, big: 10n, none: undefined }, 0],
])('headers with %s take about as much as they do when they are encoded', (_, headers, bytes) => {
  expect(headerBytes(headers)).toBeGreaterThanOrEqual(bytes);
  expect(headerBytes(headers)).toBeLessThan(bytes * 1.2 + 100);
});
