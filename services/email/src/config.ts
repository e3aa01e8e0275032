import { catalog, sendEmail } from '@warren/catalog';
import {
  brokerSettings,
  type ConfigOf,
  defineConfig,
  historySettings,
  opsSettings,
  port,
  setting,
  text,
  wholeNumber,
  workerSettings,
} from '@warren/runtime';
import { isSenderAddress } from './sender-address.ts';

/** Environment variables of the e-mail service. */
export const emailSettings = defineConfig({
  ...opsSettings,
  ...brokerSettings,
  ...historySettings,
  ...workerSettings(catalog),
  SMTP_URL: setting({
    schema: text()
      .refine(isSmtpUrl, 'an smtp:// or smtps:// URL with special characters percent-encoded')
      .optional(),
    description:
      'mail server, such as smtps://user:password@mail.example.org; unset: mails go to a development mailbox in this process',
    secret: true,
  }),
  MAIL_FROM: setting({
    schema: text().refine(isSenderAddress, '"Name <address>" or an address'),
    description: 'sender of all mails',
    default: 'Warren <warren@localhost>',
  }),
  MAILBOX_PORT: setting({
    schema: port(),
    description:
      'port of the development mailbox on 127.0.0.1, used while SMTP_URL is unset; 0 for any free one',
    default: '8025',
  }),
  EMAIL_CONCURRENCY: setting({
    schema: wholeNumber({ min: 1, max: 1_000 }),
    description:
      'mails sent at once, each over a connection of its own; CONCURRENCY goes before it',
    default: String(sendEmail.concurrency ?? 10),
  }),
});

export type EmailConfig = ConfigOf<typeof emailSettings>;

function isSmtpUrl(url: string): boolean {
  if (!/^smtps?:\/\/[^/?#]/.test(url) || !URL.canParse(url)) return false;
  const { hostname, pathname } = new URL(url);
  // An unescaped `/` in a password would quietly end the host's name there.
  return hostname !== '' && !pathname.includes('@');
}
