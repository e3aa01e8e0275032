import type { ReceivedMessage } from '@warren/broker';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AdmissionFacts, admit } from './admit.ts';

const NOW = 1_800_000_000_000;

const plain: ReceivedMessage = {
  id: 'job-1',
  type: undefined,
  attempt: 1,
  generation: 0,
  snoozes: 0,
  payloadVersion: 1,
  publishedAtMs: NOW - 1_000,
  notBeforeMs: undefined,
  expiresAtMs: undefined,
  correlationId: undefined,
  replayOf: undefined,
  traceparent: undefined,
  previousSpan: undefined,
  returns: 0,
};
const facts: AdmissionFacts = {
  nowMs: NOW,
  maxAgeMs: 60_000,
  isSuspectQueue: false,
  pardonedReturns: 0,
  overdueReturns: 0,
};

const poison = { kind: 'dead-letter', reason: 'poison' };
const tooOld = { kind: 'dead-letter', reason: 'max_age' };

describe('admit', () => {
  it.each<[string, Partial<ReceivedMessage>, Partial<AdmissionFacts>, object]>([
    ['a plain job', {}, {}, { kind: 'run' }],
    ['returned once', { returns: 1 }, {}, { kind: 'run' }],
    ['returned twice', { returns: 2 }, {}, { kind: 'suspect' }],
    ['returned twice, one pardoned', { returns: 2 }, { pardonedReturns: 1 }, { kind: 'run' }],
    [
      'returned three times, one pardoned',
      { returns: 3 },
      { pardonedReturns: 1 },
      { kind: 'suspect' },
    ],
    ['out for too long twice, uncounted', {}, { overdueReturns: 2 }, { kind: 'suspect' }],
    [
      'out for too long twice, pardoned',
      { returns: 2 },
      { pardonedReturns: 2, overdueReturns: 2 },
      { kind: 'suspect' },
    ],
    ['out for too long once', { returns: 1 }, { overdueReturns: 1 }, { kind: 'run' }],
    ['pardoned more than returned', { returns: 1 }, { pardonedReturns: 5 }, { kind: 'run' }],
    ['a suspect returned twice', { returns: 2 }, { isSuspectQueue: true }, { kind: 'run' }],
    ['a suspect returned three times', { returns: 3 }, { isSuspectQueue: true }, poison],
    [
      'a suspect, one pardoned',
      { returns: 3 },
      { isSuspectQueue: true, pardonedReturns: 1 },
      { kind: 'run' },
    ],
    ['expiring later', { expiresAtMs: NOW + 1 }, {}, { kind: 'run' }],
    ['expiring now', { expiresAtMs: NOW }, {}, { kind: 'expired' }],
    ['expired', { expiresAtMs: NOW - 1 }, {}, { kind: 'expired' }],
    ['just not too old', { publishedAtMs: NOW - 60_000 }, {}, { kind: 'run' }],
    ['too old', { publishedAtMs: NOW - 60_001 }, {}, tooOld],
    ['of unknown age', { publishedAtMs: undefined }, {}, { kind: 'run' }],
    ['from a clock ahead', { publishedAtMs: NOW + 90_000 }, {}, { kind: 'run' }],
    ['expired and too old', { publishedAtMs: 1, expiresAtMs: 2 }, {}, { kind: 'expired' }],
    ['without an id', { id: undefined }, {}, { kind: 'identify' }],
    ['without an id, early', { id: undefined, notBeforeMs: NOW + 9 }, {}, { kind: 'identify' }],
    ['without an id, expired', { id: undefined, expiresAtMs: NOW }, {}, { kind: 'expired' }],
    ['early', { notBeforeMs: NOW + 1 }, {}, { kind: 'early', notBeforeMs: NOW + 1 }],
    ['just due', { notBeforeMs: NOW }, {}, { kind: 'run' }],
    ['early and too old', { notBeforeMs: NOW + 1, publishedAtMs: 1 }, {}, tooOld],
    ['crashing and too old', { returns: 2, publishedAtMs: 1 }, {}, { kind: 'suspect' }],
  ])('%s', (_, message, more, expected) => {
    expect(admit({ ...plain, ...message }, { ...facts, ...more })).toEqual(expected);
  });

  it('runs only what has an id, is due, fresh and not a suspect', () => {
    const time = fc.option(fc.integer({ min: NOW - 100_000, max: NOW + 100_000 }), {
      nil: undefined,
    });
    const message = fc.record({
      id: fc.option(fc.constant('job-1'), { nil: undefined }),
      publishedAtMs: time,
      notBeforeMs: time,
      expiresAtMs: time,
      returns: fc.nat(5),
    });
    fc.assert(
      fc.property(message, fc.boolean(), fc.nat(5), (changes, isSuspectQueue, pardonedReturns) => {
        const admission = admit(
          { ...plain, ...changes },
          { ...facts, isSuspectQueue, pardonedReturns },
        );
        const mayRun =
          changes.id !== undefined &&
          (changes.notBeforeMs ?? 0) <= NOW &&
          (changes.expiresAtMs ?? NOW + 1) > NOW &&
          NOW - (changes.publishedAtMs ?? NOW) <= facts.maxAgeMs &&
          changes.returns - pardonedReturns < (isSuspectQueue ? 3 : 2);
        expect(admission.kind === 'run').toBe(mayRun);
      }),
    );
  });
});
