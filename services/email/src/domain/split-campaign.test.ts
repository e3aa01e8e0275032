import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mailIdOf, PART_SIZE, partIdOf, splitCampaign } from './split-campaign.ts';

const campaignOf = (count: number) => ({
  campaign: 'spring',
  template: { subject: 'Hi', text: 'Hi' },
  recipients: Array.from({ length: count }, (_, index) => ({ to: `reader${index}@example.org` })),
});

describe('splitCampaign', () => {
  it('puts every recipient into one part, in order, and no part is empty or too large', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 * PART_SIZE + 1 }), (count) => {
        const payload = campaignOf(count);
        const parts = [...splitCampaign('id', payload)];
        expect(parts.flatMap(({ recipients }) => recipients)).toEqual(payload.recipients);
        for (const { recipients, offset, campaignId } of parts) {
          expect(recipients.length).toBeGreaterThan(0);
          expect(recipients.length).toBeLessThanOrEqual(PART_SIZE);
          expect(payload.recipients[offset]).toBe(recipients[0]);
          expect(campaignId).toBe('id');
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('the ids', () => {
  it('of parts are the same in every run, and differ by part and campaign', () => {
    const idsOf = (id: string) => [...splitCampaign(id, campaignOf(1_001))].map(partIdOf);
    expect(idsOf('a')).toEqual(idsOf('a'));
    expect(new Set([...idsOf('a'), ...idsOf('b')]).size).toBe(6);
  });

  it('of mails follow from campaign and address, in whatever case that is written', () => {
    expect(mailIdOf('a', 'Ada@Example.org')).toBe(mailIdOf('a', 'ada@example.org'));
    expect(mailIdOf('a', 'ada@example.org')).not.toBe(mailIdOf('b', 'ada@example.org'));
    expect(mailIdOf('a', 'ada@example.org')).not.toBe(mailIdOf('a', 'eve@example.org'));
    expect(mailIdOf('a', 'ada@example.org')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5/);
  });
});
