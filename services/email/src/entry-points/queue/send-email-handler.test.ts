import { NonRetryableError } from '@warren/contracts';
import { quietTelemetry } from '@warren/testing';
import { beforeEach, expect, it } from 'vitest';
import type { EmailPayload } from '../../domain/compose-mail.ts';
import type { DeliverMail, Mail } from '../../domain/mail.ts';
import { RecentlySent } from '../../domain/recently-sent.ts';
import { quietLogger } from '../../fixtures/quiet-logger.ts';
import { sendEmailHandler } from './send-email-handler.ts';

const job = (payload: EmailPayload) => ({
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  type: 'email.send',
  payload,
  attempt: 2,
  generation: 0,
  queue: 'email.send',
  publishedAtMs: undefined,
  correlationId: undefined,
  headers: {},
});

const context = () => ({ signal: new AbortController().signal, log: quietLogger });
const from = 'Warren <warren@localhost>';
let recentlySent: RecentlySent;
beforeEach(() => {
  recentlySent = new RecentlySent();
});

it('delivers one mail for one job, with the signal of its run', async () => {
  const sent: [Mail, AbortSignal][] = [];
  const deliver: DeliverMail = async (mail, signal) => {
    sent.push([mail, signal]);
  };
  const { signal, log } = context();
  await sendEmailHandler({ deliver, from, recentlySent })(
    job({ to: 'a@example.org', subject: 'Hi', html: '<b>Hi</b>' }),
    { signal, log },
  );
  expect(sent).toEqual([
    [
      {
        messageId: '<01890a5d-ac96-774b-bcce-b302099a8057@localhost>',
        jobId: '01890a5d-ac96-774b-bcce-b302099a8057',
        from,
        to: 'a@example.org',
        subject: 'Hi',
        html: '<b>Hi</b>',
      },
      signal,
    ],
  ]);
});

it('fails as the delivery fails', async () => {
  const error = new NonRetryableError('550');
  const handler = sendEmailHandler({
    deliver: () => Promise.reject(error),
    from,
    recentlySent,
  });
  const run = handler(job({ to: 'a@example.org', subject: 'Hi', text: '' }), context());
  await expect(run).rejects.toBe(error);
});

it('logs one line for each mail, sent or not, that names nobody', async () => {
  const { logger, lines } = quietTelemetry('email');
  const deliver: DeliverMail = async ({ subject }) => {
    if (subject === 'No') throw new NonRetryableError('SMTP: 550 No such mailbox');
  };
  const handler = sendEmailHandler({ deliver, from, recentlySent });
  const { signal } = context();
  const send = (subject: string) =>
    handler(job({ to: 'ada@example.org', subject, text: 'secret' }), { signal, log: logger });
  await send('Hi');
  await send('Hi');
  await expect(send('No')).rejects.toThrow('550');
  const message_id = '<01890a5d-ac96-774b-bcce-b302099a8057@localhost>';
  expect(lines).toMatchObject([
    { msg: 'mail handed to the mail server', message_id },
    { msg: 'duplicate of a mail just sent', message_id },
    { msg: 'mail not sent', message_id, problem: 'SMTP: 550 No such mailbox' },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/ada@|secret|Hi/);
});

it('sends one mail where the same job comes twice', async () => {
  const sent: string[] = [];
  const deliver: DeliverMail = async ({ jobId }) => void sent.push(jobId);
  const handler = sendEmailHandler({ deliver, from, recentlySent });
  const mail = { to: 'a@example.org', subject: 'Hi', text: '' };
  await Promise.all([handler(job(mail), context()), handler(job(mail), context())]);
  await handler(job({ ...mail, subject: 'Other' }), context());
  expect(sent).toHaveLength(2);
});
