import { redactPayload, validatePayload } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import { sendCampaign, sendCampaignPart } from './index.ts';

const template = { subject: 'Hello {{ name }}', text: 'Hi' };
const recipientsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ to: `reader${index}@example.org` }));
const campaign = { campaign: 'spring', template, recipients: recipientsOf(2) };

describe('email.campaign', () => {
  it('takes 50,000 recipients, with data of any shape or none', () => {
    const recipients = recipientsOf(50_000);
    const data = { name: 'Ada', tags: ['a', { b: null }], n: 1 };
    const payload = {
      ...campaign,
      recipients: [...recipients.slice(1), { ...recipients[0], data }],
    };
    expect(validatePayload(sendCampaign, payload)).toEqual(payload);
  });

  it.each<[string, object]>([
    ['recipients', { ...campaign, recipients: [] }],
    ['recipients', { ...campaign, recipients: recipientsOf(50_001) }],
    ['recipients.1.to', { ...campaign, recipients: [{ to: 'a@b.example' }, { to: 'nobody' }] }],
    ['recipients.0.data', { ...campaign, recipients: [{ to: 'a@b.example', data: 'Ada' }] }],
    ['recipients.0.name', { ...campaign, recipients: [{ to: 'a@b.example', name: 'Ada' }] }],
    ['campaign', { ...campaign, campaign: '' }],
    ['campaign', { ...campaign, campaign: 'a\r\nb' }],
    ['template.subject', { ...campaign, template: { ...template, subject: 'a\r\nBcc: b' } }],
    ['template.text', { ...campaign, template: { subject: 'Hi' } }],
    ['template.html', { ...campaign, template: { ...template, html: 'x'.repeat(100_001) } }],
    ['from', { ...campaign, from: 'eve@example.org' }],
  ])('refuses a wrong %s', (field, payload) => {
    expect(() => validatePayload(sendCampaign, payload)).toThrow(
      new RegExp(`^email\\.campaign: ${field}: `),
    );
  });

  it('refuses an address that comes twice, in whatever case, naming both places and not the address', () => {
    const recipients = [...recipientsOf(3), { to: 'Reader1@Example.ORG' }];
    expect(() => validatePayload(sendCampaign, { ...campaign, recipients })).toThrow(
      /^email\.campaign: recipients\.3\.to: is the same address as recipients\.1\.to$/,
    );
  });

  it('names the first few of many repeated addresses', () => {
    const recipients = Array.from({ length: 1_000 }, () => ({ to: 'ada@example.org' }));
    const issues = sendCampaign.schema.safeParse({ ...campaign, recipients }).error?.issues;
    expect(issues).toHaveLength(5);
  });

  it('keeps addresses and data out of logs, in its parts too', () => {
    const recipients = [{ to: 'ada@example.org', data: { name: 'Ada' } }];
    const redacted = { recipients: [{ to: '[redacted]', data: '[redacted]' }] };
    for (const { piiPaths } of [sendCampaign, sendCampaignPart]) {
      expect(redactPayload({ recipients }, piiPaths)).toEqual(redacted);
    }
  });
});
