import { sendCampaign, sendCampaignPart, sendEmail } from '@warren/catalog';
import { type HandlerRegistration, handle } from '@warren/worker';
import { checkCampaign } from '../../domain/check-campaign.ts';
import { composeCampaignMails } from '../../domain/compose-campaign-mails.ts';
import type { EmailPayload } from '../../domain/compose-mail.ts';
import { inBreaths } from '../../domain/in-breaths.ts';
import { type BulkPublisher, publishAll } from '../../domain/publish-all.ts';
import { mailIdOf, partIdOf, splitCampaign } from '../../domain/split-campaign.ts';

/** Parts in flight at once: each carries the template and its share of the recipients. */
const PARTS_WINDOW = 4;
const MAILS_WINDOW = 500;
/** An AMQP short string; ids of foreign clients may be as long. */
const MAX_CORRELATION_BYTES = 255;

/**
 * The handlers that turn an `email.campaign` into `email.send` jobs, by way of its parts. All ids follow from the campaign's
 * own, so that a run that was cut short and begins again publishes the same ones.
 * @param jobs a client that knows `email.campaign-part` and `email.send`
 */
export function campaignHandlers(jobs: BulkPublisher): HandlerRegistration[] {
  return [campaignHandler(jobs), partHandler(jobs)];
}

function campaignHandler(jobs: BulkPublisher): HandlerRegistration {
  return handle(sendCampaign, async ({ id, payload }, { signal, log }) => {
    await checkCampaign(id, payload, signal);
    log.info({ recipients: payload.recipients.length }, 'campaign checked');
    await publishAll(splitCampaign(id, payload), {
      jobs,
      definition: sendCampaignPart,
      idOf: partIdOf,
      correlationId: correlationOf(id),
      window: PARTS_WINDOW,
      signal,
    });
    log.info({ recipients: payload.recipients.length }, 'campaign handed to its parts');
  });
}

function partHandler(jobs: BulkPublisher): HandlerRegistration {
  return handle(sendCampaignPart, async ({ payload }, { signal, log }) => {
    const { campaignId, offset } = payload;
    // All of them before the first is published: a part that came from elsewhere was not checked as a campaign.
    const mails: EmailPayload[] = [];
    for await (const mail of inBreaths(composeCampaignMails(payload, offset), signal)) {
      mails.push(mail);
    }
    await publishAll(mails, {
      jobs,
      definition: sendEmail,
      idOf: ({ to }) => mailIdOf(campaignId, to),
      correlationId: correlationOf(campaignId),
      window: MAILS_WINDOW,
      signal,
    });
    log.info({ campaign_id: campaignId, offset, mails: mails.length }, 'campaign part published');
  });
}

/** Lets people find the mails of a campaign. */
function correlationOf(campaignId: string): string {
  return Buffer.byteLength(campaignId) <= MAX_CORRELATION_BYTES ? campaignId : 'campaign';
}
