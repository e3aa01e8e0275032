import { sendCampaign, sendCampaignPart, sendEmail } from '@warren/catalog';
import { derivedJobId, HEADERS, type PayloadInput } from '@warren/contracts';
import { campaignHandlers } from '@warren/email';
import { collect, eventually, type Installation, install, takeIds } from '@warren/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let installation: Installation;
beforeEach(async () => {
  installation = await install([sendEmail, sendCampaign, sendCampaignPart]);
});
afterEach(() => installation.dispose());

type Campaign = PayloadInput<typeof sendCampaign>;

function campaignOf(count: number, template: Partial<Campaign['template']> = {}): Campaign {
  return {
    campaign: 'spring',
    template: { subject: 'Hello {{ name }}', text: 'Code {{ code }}', ...template },
    recipients: Array.from({ length: count }, (_, index) => ({
      to: `reader${index}@example.org`,
      data: { name: `Ada ${index}`, code: index },
    })),
  };
}

async function run(campaign: Campaign, id?: string): Promise<string> {
  const jobs = await installation.connect();
  await installation.work(campaignHandlers(jobs));
  const published = await jobs.publish(sendCampaign, campaign, id === undefined ? {} : { id });
  return published.id;
}

const mailQueue = () => installation.topology.names.workQueue(sendEmail.type);
const idOf = (campaignId: string, to: string) =>
  derivedJobId(sendEmail.type, `${campaignId}\n${to}`);

describe('a campaign', () => {
  it('becomes one mail for each recipient, rendered, under an id that follows from campaign and address', async () => {
    const campaign = campaignOf(3, { html: '<p title="{{ name }}">{{ name }}</p>' });
    campaign.recipients[1] = { to: 'Eve@example.org', data: { name: '<b>"Eve"</b>', code: 7 } };
    const id = await run(campaign);
    const messages = await collect(installation.admin, mailQueue(), 3);
    const byAddress = new Map(
      messages.map((message) => {
        const mail = JSON.parse(message.content.toString()) as { to: string };
        return [mail.to, { mail, properties: message.properties }];
      }),
    );
    expect(byAddress.get('Eve@example.org')?.mail).toEqual({
      to: 'Eve@example.org',
      subject: 'Hello <b>"Eve"</b>',
      text: 'Code 7',
      html: '<p title="&lt;b&gt;&quot;Eve&quot;&lt;/b&gt;">&lt;b&gt;&quot;Eve&quot;&lt;/b&gt;</p>',
    });
    expect(byAddress.get('reader2@example.org')?.properties).toMatchObject({
      messageId: idOf(id, 'reader2@example.org'),
      correlationId: id,
    });
    expect(byAddress.get('Eve@example.org')?.properties.messageId).toBe(
      idOf(id, 'eve@example.org'),
    );
  });

  it('of several parts leaves nobody out, and a second run of it publishes the same ids', async () => {
    const campaign = campaignOf(1_234);
    const id = await run(campaign);
    const expected = campaign.recipients.map(({ to }) => idOf(id, to)).sort();
    const first = await idsOf(1_234);
    expect(first.sort()).toEqual(expected);
    await (await installation.connect()).publish(sendCampaign, campaign, { id });
    expect((await idsOf(1_234)).sort()).toEqual(expected);
  });

  it.each<[string, (campaign: Campaign) => void, string]>([
    [
      'a variable that one recipient has no data for',
      ({ recipients }) => {
        recipients[700] = { to: 'eve@example.org', data: { name: 'secret' } };
      },
      'recipients.700: template.text: undefined variable: code',
    ],
    [
      'a line break in what makes the subject',
      ({ recipients }) => {
        const name = 'secret\r\nBcc: evil@example.org';
        recipients[700] = { to: 'eve@example.org', data: { name, code: 1 } };
      },
      'recipients.700: rendered subject: may not contain line breaks',
    ],
    [
      'a template with a mistake',
      ({ template }) => {
        template.text = '{{ code | nothing }}';
      },
      'template.text: undefined filter: nothing',
    ],
  ])('sends nothing at all because of %s', async (_, spoil, problem) => {
    const campaign = campaignOf(1_000);
    spoil(campaign);
    const id = await run(campaign);
    const { names } = installation.topology;
    const [letter] = await collect(installation.admin, names.deadQueue(sendCampaign.type), 1);
    expect(letter?.properties.messageId).toBe(id);
    const headers = letter?.properties.headers ?? {};
    expect(headers[HEADERS.deadReason]).toBe('non_retryable');
    expect(headers[HEADERS.error]).toContain(problem);
    expect(headers[HEADERS.error]).not.toMatch(/eve@|secret|evil/);
    expect(await installation.admin.depth(mailQueue())).toBe(0);
    expect(await installation.admin.depth(names.workQueue(sendCampaignPart.type))).toBe(0);
  });
});

/** The ids of so many mails, taken out of their queue. */
async function idsOf(count: number): Promise<string[]> {
  const ids: string[] = [];
  await eventually(`${count} mails in the queue`, async () => {
    ids.push(...(await takeIds(installation.url, mailQueue())));
    return ids.length >= count;
  });
  return ids;
}
