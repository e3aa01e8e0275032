import { NonRetryableError, RetryAfterError } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import { checkAnswer } from './check-answer.ts';
import { DeliveryError, speaksOfHost } from './delivery-error.ts';

const NOW_MS = Date.parse('2026-11-29T12:00:00Z');

function thrownFor(status: number, retryAfter?: string): unknown {
  try {
    checkAnswer('hooks.example.org', { status, retryAfter }, NOW_MS);
  } catch (error) {
    return error;
  }
}

describe('an answer', () => {
  it.each([200, 201, 202, 204, 299])('of %i is a success', (status) => {
    expect(thrownFor(status)).toBeUndefined();
  });

  it('of 410 ends it, and says what to do', () => {
    expect(thrownFor(410, '60')).toBeInstanceOf(NonRetryableError);
    expect(String(thrownFor(410))).toContain(
      'hooks.example.org answered 410: the endpoint is gone',
    );
  });

  it.each<[number, string, number]>([
    [429, '7', 7_000],
    [503, 'Sun, 29 Nov 2026 12:00:30 GMT', 30_000],
    [503, '999999999', 3_600_000],
    [429, 'Sun, 29 Nov 2026 11:00:00 GMT', 0],
  ])('of %i with Retry-After %j waits as long, within bounds', (status, retryAfter, delayMs) => {
    expect(thrownFor(status, retryAfter)).toBeInstanceOf(RetryAfterError);
    expect(thrownFor(status, retryAfter)).toMatchObject({ delayMs });
  });

  it.each<[number, string | undefined, boolean]>([
    [500, undefined, true],
    [502, '60', true],
    [503, 'soon', true],
    [504, undefined, true],
    [429, undefined, true],
    [408, undefined, true],
    [400, undefined, false],
    [401, '60', false],
    [404, undefined, false],
    [422, undefined, false],
    [301, undefined, false],
    [304, undefined, false],
    [101, undefined, false],
  ])('of %i with Retry-After %j is tried again; speaks of the host: %s', (status, after, host) => {
    const error = thrownFor(status, after);
    expect(error).toBeInstanceOf(DeliveryError);
    expect(String(error)).toContain(`hooks.example.org answered ${status}`);
    expect(speaksOfHost(error)).toBe(host);
  });

  it('that redirects says what is wrong', () => {
    expect(String(thrownFor(302))).toContain('redirects are not followed');
  });
});

it('whatever else fails speaks of the host', () => {
  expect(speaksOfHost(new Error('ran over its timeout'))).toBe(true);
});
