import { describe, expect, it } from 'vitest';
import {
  decodeCancelRequest,
  decodeControlSnapshot,
  encodeCancelRequest,
  encodeControlSnapshot,
  isCancelled,
} from './control-messages.ts';

const NO_MESSAGES = ['', 'x', '3', 'null', '[]', '{}', '{"v":2,"id":"a","pausedQueues":[]}'];

describe('a request to cancel', () => {
  it.each([
    { id: 'a', atMs: 5 },
    { id: 'a', queue: 'email.send', generation: 2, by: 'ada', atMs: 5 },
  ])('comes back as it went: %j', (request) => {
    expect(decodeCancelRequest(encodeCancelRequest(request))).toEqual(request);
  });

  it.each([
    ...NO_MESSAGES,
    '{"v":1}',
    '{"v":1,"id":""}',
    '{"v":1,"id":7}',
    // Without the bound it would end more than was meant.
    '{"v":1,"id":"a","queue":7}',
    '{"v":1,"id":"a","generation":"0"}',
    '{"v":1,"id":"a","generation":-1}',
  ])('is not read from %s', (body) => {
    expect(decodeCancelRequest(Buffer.from(body))).toBeUndefined();
  });

  it.each([
    [{}, true],
    [{ queue: 'email.send' }, true],
    [{ queue: 'email.send', generation: 1 }, true],
    [{ generation: 3 }, true],
    [{ generation: 0 }, false],
    [{ queue: 'audit' }, false],
  ])('%j means generation 1 in email.send: %s', (bounds, meant) => {
    const request = { id: 'a', atMs: 0, ...bounds };
    expect(isCancelled(request, { queue: 'email.send', generation: 1 })).toBe(meant);
  });
});

describe('a control snapshot', () => {
  it.each([[[]], [['email.send', 'audit']]])('comes back as it went: %j', (pausedQueues) => {
    const snapshot = { pausedQueues, atMs: 7 };
    expect(decodeControlSnapshot(encodeControlSnapshot(snapshot))).toEqual(snapshot);
  });

  it('has the breakers that are held by hand', () => {
    const snapshot = {
      pausedQueues: [],
      breakers: { smtp: 'open', crm: 'closed' },
      atMs: 7,
    } as const;
    expect(decodeControlSnapshot(encodeControlSnapshot(snapshot))).toEqual(snapshot);
  });

  it('has what operators have set for queues, and what a newer version has added', () => {
    const snapshot = {
      pausedQueues: [],
      atMs: 7,
      newer: { thing: [1] },
      concurrency: { 'email.send': { concurrency: 8 }, audit: { concurrency: 1, prefetch: 5 } },
      limits: { 'email.send': { rate: 60, per: '1m' as const, burst: 3 } },
    };
    expect(decodeControlSnapshot(encodeControlSnapshot(snapshot))).toEqual(snapshot);
  });

  it.each([
    ...NO_MESSAGES,
    '{"v":1}',
    '{"v":1,"pausedQueues":[7]}',
    '{"v":1,"pausedQueues":[],"concurrency":{"a.b":{"concurrency":0}}}',
    '{"v":1,"pausedQueues":[],"concurrency":{"a.b":7}}',
    '{"v":1,"pausedQueues":[],"concurrency":[]}',
    '{"v":1,"pausedQueues":[],"limits":{"a":{"rate":0,"per":"1m"}}}',
    '{"v":1,"pausedQueues":[],"limits":[]}',
    '{"v":1,"pausedQueues":[],"breakers":["smtp"]}',
    '{"v":1,"pausedQueues":[],"breakers":{"smtp":"ajar"}}',
  ])('is not read from %s', (body) => {
    expect(decodeControlSnapshot(Buffer.from(body))).toBeUndefined();
  });
});
