import { sendCampaign, sendEmail } from '@warren/catalog';
import { UnknownJobTypeError, validatePayload } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import { parseJobEnvelope } from './envelope.ts';
import { problemOf } from './problem-of.ts';

const MANY = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`f${index}`, 1]));
const MAIL = { to: 'ada@example.org', subject: 'Hi', text: 'Hello' };
const CAMPAIGN = { campaign: 'c', template: { subject: 'Hi', text: 'Hello' } };

/** The document for whatever a function throws. */
function problemFrom(run: () => unknown) {
  try {
    run();
  } catch (error) {
    return problemOf(error).document;
  }
  throw new Error('nothing was thrown');
}

describe('the problem document', () => {
  it.each<[string, () => unknown]>([
    ['unknown options', () => parseJobEnvelope({ type: 'email.send', payload: MAIL, ...MANY })],
    ['unknown fields of a payload', () => validatePayload(sendEmail, { ...MAIL, ...MANY })],
    [
      'wrong items of a payload',
      () =>
        validatePayload(sendCampaign, {
          ...CAMPAIGN,
          recipients: Array.from({ length: 20_000 }, () => ({ to: 'nobody' })),
        }),
    ],
    [
      'long names in a payload',
      () => validatePayload(sendEmail, { ...MAIL, ['n'.repeat(100_000)]: 1 }),
    ],
    [
      'a long path',
      () =>
        validatePayload(sendCampaign, {
          ...CAMPAIGN,
          recipients: [{ to: 'ada@example.org', data: 7, ['n'.repeat(100_000)]: 1 }],
        }),
    ],
    [
      'a long job type',
      () => {
        throw new UnknownJobTypeError('t'.repeat(100_000), [sendEmail.type]);
      },
    ],
  ])('stays small for %s', (_name, run) => {
    const document = problemFrom(run);
    expect(JSON.stringify(document).length).toBeLessThan(8_192);
    expect(document.errors?.length).toBeGreaterThan(0);
  });

  it('says how many errors there are where it does not name them all', () => {
    const { detail, errors } = problemFrom(() =>
      parseJobEnvelope({ type: 'email.send', payload: MAIL, ...MANY }),
    );
    expect(errors).toHaveLength(20);
    expect(detail).toMatch(/^f0: .+ \(20000 errors, of which 20 are named\)$/);
  });

  it('keeps what is short as it is', () => {
    const { detail, errors } = problemFrom(() => parseJobEnvelope({ payload: MAIL, nope: 1 }));
    expect(errors?.map(({ field }) => field).sort()).toEqual(['nope', 'type']);
    expect(detail).not.toContain('are named');
  });
});
