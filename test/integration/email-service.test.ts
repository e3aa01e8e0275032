import { sendCampaign, sendCampaignPart, sendEmail } from '@warren/catalog';
import { derivedJobId } from '@warren/contracts';
import { campaignHandlers, createService, type EmailService, emailSettings } from '@warren/email';
import { loadConfig } from '@warren/runtime';
import {
  eventually,
  type Installation,
  install,
  metricValue,
  quietTelemetry,
  seeHistory,
  takeIds,
} from '@warren/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let installation: Installation;
let service: EmailService;
let telemetry: ReturnType<typeof quietTelemetry>;
beforeEach(async () => {
  installation = await install([sendEmail, sendCampaign, sendCampaignPart], { history: true });
  telemetry = quietTelemetry('email');
  const config = loadConfig(emailSettings, {
    AMQP_URL: installation.url,
    WARREN_NAMESPACE: installation.namespace,
    MAILBOX_PORT: '0',
  });
  service = createService(config, telemetry);
  await service.start();
  await eventually('the service is ready', () => service.ready().ready);
});
afterEach(async () => {
  await service.stop();
  await installation.dispose();
});

interface Mail {
  readonly to: string;
  readonly jobId: string;
  readonly subject: string;
  readonly attachments: readonly { readonly filename: string; readonly sizeBytes: number }[];
}

async function mails(count: number): Promise<Mail[]> {
  return eventually(`${count} mails`, async () => {
    const list = (await (await fetch(`${service.mailboxUrl()}/messages`)).json()) as Mail[];
    return list.length >= count && list;
  });
}

/** How often an `email.send` was done, whether it was sent or was a duplicate. */
const done = (count: number) =>
  eventually(`${count} done`, async () => {
    const labels = { job_type: sendEmail.type };
    return (await metricValue(telemetry.metrics, 'jobs_completed_total', labels)) >= count;
  });

const addressOf = (index: number) => `reader${index}@example.org`;
const campaign = {
  campaign: 'spring',
  template: { subject: 'Hello {{ name }}', text: 'Hi' },
  recipients: Array.from({ length: 30 }, (_, index) => ({
    to: addressOf(index),
    data: { name: `Ada ${index}` },
  })),
};

describe('the e-mail service', () => {
  it('sends a campaign, and nothing twice when the same campaign comes again', async () => {
    const jobs = await installation.connect();
    const { id } = await jobs.publish(sendCampaign, campaign);
    const sent = await mails(30);
    expect(sent.map(({ to, subject }) => [to, subject]).sort()).toEqual(
      campaign.recipients.map(({ to, data }) => [to, `Hello ${data.name}`]).sort(),
    );
    await jobs.publish(sendCampaign, campaign, { id });
    await done(60);
    expect(await mails(30)).toHaveLength(30);
    expect(logged('duplicate of a mail just sent')).toBe(30);
  });

  it('tells the history of its own jobs and of those that it makes', async () => {
    const history = seeHistory(installation);
    const jobs = await installation.connect();
    const recipients = campaign.recipients.slice(0, 1);
    const { id } = await jobs.publish(sendCampaign, { ...campaign, recipients });
    const mail = derivedJobId(sendEmail.type, `${id}\n${addressOf(0)}`);
    const told = (await history.until(mail, 'succeeded')).map(({ kind }) => kind);
    expect(told).toEqual(expect.arrayContaining(['queued', 'started']));
    await history.until(id, 'succeeded');
    await history.close();
  });

  it('sends files of 5 MiB', async () => {
    const jobs = await installation.connect();
    const content = Buffer.alloc(5 * 1024 * 1024, 7).toString('base64');
    await jobs.publish(sendEmail, {
      to: addressOf(1),
      subject: 'Files',
      text: 'See below',
      attachments: [{ filename: 'plan.pdf', contentType: 'application/pdf', content }],
    });
    const [mail] = await mails(1);
    expect(mail?.attachments).toEqual([
      { filename: 'plan.pdf', contentType: 'application/pdf', sizeBytes: 5 * 1024 * 1024 },
    ]);
  });

  it('leaves a campaign that it is stopped in the midst of to another process, and nobody is left out', async () => {
    const jobs = await installation.connect();
    const many = Array.from({ length: 5_000 }, (_, index) => ({ to: addressOf(index) }));
    const template = { subject: 'Hello', text: 'Hi' };
    const { id } = await jobs.publish(sendCampaign, { ...campaign, template, recipients: many });
    await eventually('its first part is published', () => logged('campaign part published') > 0);
    await service.stop();
    expect(logged('mail handed to the mail server'), 'stopped in its midst').toBeLessThan(5_000);

    await installation.work(campaignHandlers(jobs));
    const { names } = installation.topology;
    const ids = new Set(linesOf('mail handed to the mail server').map((line) => line['job_id']));
    await eventually('every mail was sent or waits to be sent', async () => {
      const taken = await takeIds(installation.url, names.workQueue(sendEmail.type));
      for (const one of taken) ids.add(one);
      return ids.size >= 5_000;
    });
    expect(ids).toEqual(
      new Set(many.map(({ to }) => derivedJobId(sendEmail.type, `${id}\n${to}`))),
    );
    for (const { type } of [sendCampaign, sendCampaignPart, sendEmail]) {
      expect(await installation.admin.depth(names.deadQueue(type))).toBe(0);
    }
  });
});

function linesOf(message: string) {
  return telemetry.lines.filter(({ msg }) => msg === message);
}

function logged(message: string): number {
  return linesOf(message).length;
}
