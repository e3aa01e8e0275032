import type { EventDefinition, JobDefinition } from '@warren/contracts';
import { sendCampaign, sendCampaignPart } from './campaign.ts';
import { analyseDocument, fetchDocument } from './documents.ts';
import { sendEmail } from './email.ts';
import { orderPlaced } from './order.ts';
import { chargePayment } from './payment.ts';
import { deliverWebhook } from './webhook.ts';

export {
  analyseDocument,
  chargePayment,
  deliverWebhook,
  fetchDocument,
  orderPlaced,
  sendCampaign,
  sendCampaignPart,
  sendEmail,
};

/** Every job type of this installation. */
export const catalog: readonly JobDefinition[] = [
  sendEmail,
  sendCampaign,
  sendCampaignPart,
  fetchDocument,
  analyseDocument,
  chargePayment,
  deliverWebhook,
];

/** Published by the handler of another job type, and by nobody else. */
const internalJobs: readonly JobDefinition[] = [sendCampaignPart];

/** What may be asked for from outside: the job types that the gateway takes. */
export const publicJobs: readonly JobDefinition[] = catalog.filter(
  (job) => !internalJobs.includes(job),
);

/** Every event of this installation. */
export const events: readonly EventDefinition[] = [orderPlaced];
