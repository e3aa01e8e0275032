import { sendCampaignPart } from '@warren/catalog';
import { encodePayload, NonRetryableError } from '@warren/contracts';
import { composeCampaignMails } from './compose-campaign-mails.ts';
import type { EmailPayload } from './compose-mail.ts';
import { inBreaths } from './in-breaths.ts';
import { type CampaignPartPayload, type CampaignPayload, splitCampaign } from './split-campaign.ts';

/** Of all mails of a campaign: the broker keeps each until it is sent. */
export const MAX_CAMPAIGN_BYTES = 2 * 1024 ** 3;

/**
 * Composes every mail of a campaign, to find out what is wrong with any before the first one is published.
 * @throws NonRetryableError, or the signal's reason
 */
export async function checkCampaign(
  campaignId: string,
  payload: CampaignPayload,
  signal: AbortSignal,
): Promise<void> {
  let bytes = 0;
  for await (const mail of inBreaths(composeCampaignMails(payload), signal)) {
    bytes += sizeOf(mail);
    if (bytes > MAX_CAMPAIGN_BYTES) {
      const limit = `its mails are larger than ${MAX_CAMPAIGN_BYTES} bytes in all`;
      throw new NonRetryableError(`${limit}: split the campaign`);
    }
  }
  for await (const part of inBreaths(splitCampaign(campaignId, payload), signal)) checkSize(part);
}

/** Numbers such as 1e20 are longer when they are encoded again. */
function checkSize(part: CampaignPartPayload): void {
  try {
    encodePayload(sendCampaignPart, part);
  } catch (error) {
    throw new NonRetryableError(`part at recipients.${part.offset}: ${(error as Error).message}`);
  }
}

function sizeOf({ subject, text = '', html = '' }: EmailPayload): number {
  return Buffer.byteLength(subject) + Buffer.byteLength(text) + Buffer.byteLength(html);
}
