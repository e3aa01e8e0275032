import { sendEmail } from '@warren/catalog';
import { NonRetryableError, PayloadInvalidError, validatePayload } from '@warren/contracts';
import type { EmailPayload } from './compose-mail.ts';
import type { CampaignPartPayload } from './split-campaign.ts';
import { compileTemplate, type RenderMail, TemplateError } from './template.ts';

type Recipient = CampaignPartPayload['recipients'][number];
type Renderable = Pick<CampaignPartPayload, 'template' | 'recipients'>;

/**
 * The mails of a campaign or of a part of it, each checked against the schema of `email.send`: a line break in what makes
 * the subject is refused there.
 * @param offset place of the first recipient in the campaign
 * @throws NonRetryableError naming the recipient by its place and what is wrong; it shows neither addresses nor data
 */
export function* composeCampaignMails(
  { template, recipients }: Renderable,
  offset = 0,
): Generator<EmailPayload> {
  const render = compile(template);
  for (const [index, recipient] of recipients.entries()) {
    yield composeOne(render, recipient, offset + index);
  }
}

function compile(template: Renderable['template']): RenderMail {
  try {
    return compileTemplate(template);
  } catch (error) {
    throw refusal(error, '');
  }
}

function composeOne(render: RenderMail, { to, data = {} }: Recipient, place: number): EmailPayload {
  try {
    const mail = { to, ...render(data) };
    // Its schema answers at once.
    return validatePayload(sendEmail, mail) as EmailPayload;
  } catch (error) {
    throw refusal(error, `recipients.${place}: `);
  }
}

function refusal(error: unknown, where: string): unknown {
  if (error instanceof TemplateError) return new NonRetryableError(where + error.message);
  if (!(error instanceof PayloadInvalidError)) return error;
  const [issue] = error.issues;
  return new NonRetryableError(`${where}rendered ${issue?.path}: ${issue?.message}`);
}
