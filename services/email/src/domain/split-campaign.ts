import { type sendCampaign, sendCampaignPart, sendEmail } from '@warren/catalog';
import { derivedJobId, type PayloadOutput } from '@warren/contracts';

export type CampaignPayload = PayloadOutput<typeof sendCampaign>;
export type CampaignPartPayload = PayloadOutput<typeof sendCampaignPart>;

/** Recipients of one part. */
export const PART_SIZE = 500;

/** The parts of a campaign, in the order of its recipients; the same for every run of it. */
export function* splitCampaign(
  campaignId: string,
  { campaign, template, recipients }: CampaignPayload,
): Generator<CampaignPartPayload> {
  for (let offset = 0; offset < recipients.length; offset += PART_SIZE) {
    yield {
      campaignId,
      campaign,
      offset,
      template,
      recipients: recipients.slice(offset, offset + PART_SIZE),
    };
  }
}

/** Follows from the campaign and the part's place, so that a repeated run publishes the same ids. */
export function partIdOf({ campaignId, offset }: CampaignPartPayload): string {
  return derivedJobId(sendCampaignPart.type, `${campaignId}\n${offset}`);
}

/** Id of a recipient's `email.send`. Follows from the campaign and the address. */
export function mailIdOf(campaignId: string, to: string): string {
  return derivedJobId(sendEmail.type, `${campaignId}\n${to.toLowerCase()}`);
}
