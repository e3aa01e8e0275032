import { defineJob, pii } from '@warren/contracts';
import { z } from 'zod';

const MIB = 1024 * 1024;
const MAX_RECIPIENTS = 50_000;
const MAX_PART_RECIPIENTS = 500;
/** Whoever repeats one address thousands of times is told of the first few. */
const MAX_DUPLICATES_NAMED = 5;

const campaignName = z
  .string()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}*$/u, 'may not contain line breaks or other control characters');

/** Liquid templates. Each is kept once per part and rendered once per recipient, hence the bounds. */
const templateSchema = z
  .strictObject({
    subject: z
      .string()
      .min(1)
      .max(998)
      .regex(/^\P{Cc}*$/u, 'may not contain line breaks or other control characters'),
    text: z.string().max(100_000).optional(),
    html: z.string().max(100_000).optional(),
  })
  .refine((template) => template.text !== undefined || template.html !== undefined, {
    message: 'needs text or html',
    path: ['text'],
  });

const recipientSchema = z.strictObject({
  to: pii(z.email()),
  /** What the template's variables stand for. */
  data: pii(z.record(z.string(), z.unknown())).optional(),
});

/** One mail to each of many: each recipient gets one `email.send` whose id follows from the campaign's and the address. */
export const sendCampaign = defineJob({
  type: 'email.campaign',
  description: 'Send one e-mail to each of up to 50,000 recipients, from a template',
  schema: z
    .strictObject({
      campaign: campaignName,
      template: templateSchema,
      recipients: z
        .array(recipientSchema)
        .min(1)
        .max(MAX_RECIPIENTS)
        .superRefine((recipients, context) => {
          for (const [index, first] of duplicatesIn(recipients)) {
            const message = `is the same address as recipients.${first}.to`;
            context.addIssue({ code: 'custom', path: [index, 'to'], message });
          }
        }),
    })
    .meta({
      examples: [
        {
          campaign: 'spring',
          template: { subject: 'Spring is here', text: 'Dear {{ name }}, …' },
          recipients: [{ to: 'ada@example.org', data: { name: 'Ada' } }],
        },
      ],
    }),
  // Below the broker's 16 MiB: a part carries some bytes more than its share of the campaign.
  maxPayloadBytes: 15 * MIB,
  retry: { maxAttempts: 5, backoff: { kind: 'exponential', initial: '5s', max: '10m' } },
  timeout: '10m',
  maxAge: '1d',
  // A campaign that cannot be fanned out at present is put off every 30 s, as long as it may live.
  maxSnoozes: 10_000,
  // One and no other on its way here: each may be 15 MiB.
  concurrency: 1,
  prefetch: 1,
  // Nobody waits for the first mail of a campaign to the minute.
  alerts: { startWithin: '10m' },
});

/** A slice of a campaign. Published by the handler of `email.campaign` alone. */
export const sendCampaignPart = defineJob({
  type: 'email.campaign-part',
  description: 'Internal: publish the mails of one slice of a campaign',
  schema: z.strictObject({
    /** The campaign's job id, which the ids of its mails follow from. */
    campaignId: z.string().min(1).max(255),
    campaign: campaignName,
    /** Place of the first recipient in the campaign, for error messages. */
    offset: z.int().min(0).max(MAX_RECIPIENTS),
    template: templateSchema,
    recipients: z.array(recipientSchema).min(1).max(MAX_PART_RECIPIENTS),
  }),
  maxPayloadBytes: 16 * MIB,
  retry: { maxAttempts: 5, backoff: { kind: 'exponential', initial: '5s', max: '10m' } },
  timeout: '2m',
  maxAge: '1d',
  maxSnoozes: 10_000,
  concurrency: 2,
  prefetch: 2,
  // Nobody waits for the first mail of a campaign to the minute.
  alerts: { startWithin: '10m' },
});

/** Places of repeated addresses, each with the place of the first. No mail server in use tells `Ada@` from `ada@`. */
function duplicatesIn(recipients: readonly { readonly to: string }[]): [number, number][] {
  const firsts = new Map<string, number>();
  const found: [number, number][] = [];
  for (const [index, { to }] of recipients.entries()) {
    const address = to.toLowerCase();
    const first = firsts.get(address);
    if (first === undefined) firsts.set(address, index);
    else found.push([index, first]);
    if (found.length === MAX_DUPLICATES_NAMED) break;
  }
  return found;
}
