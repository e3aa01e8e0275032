import { catalog } from '@warren/catalog';
import { Networks } from '@warren/outbound';
import {
  brokerSettings,
  type ConfigOf,
  defineConfig,
  flag,
  historySettings,
  opsSettings,
  readableFile,
  setting,
  text,
  wholeNumber,
  workerSettings,
} from '@warren/runtime';
import { readSecrets, type Secrets } from './domain/secrets.ts';

/** Below the timeout of the job type, so that a failure says what took so long. */
const MAX_SECONDS = 50;
const MAX_HOST_RATE = 10_000;
const MAX_HOST_CONCURRENCY = 10_000;

/** Environment variables of the webhook service. */
export const webhookSettings = defineConfig({
  ...opsSettings,
  ...brokerSettings,
  ...historySettings,
  ...workerSettings(catalog),
  WEBHOOK_SECRETS: setting({
    schema: text()
      .transform((value) => secretsIn(value))
      .refine(
        (secrets) => secrets !== undefined,
        'name=whsec_… entries, separated by commas, each of 24 to 64 bytes in base64, at most 5 of one name',
      )
      .optional(),
    description:
      'what deliveries are signed with, such as default=whsec_…,acme=whsec_…; several of one name each make a signature, for rotation. This or WEBHOOK_SECRETS_FILE must be set, but with `npm start`, which makes one for development',
    secret: true,
  }),
  WEBHOOK_SECRETS_FILE: setting({
    schema: readableFile().optional(),
    description: 'more of them, one on each line; read at the start',
  }),
  WEBHOOK_ALLOW_NETWORKS: setting({
    schema: text()
      .transform((value) => Networks.parse(value))
      .refine(
        (networks) => networks !== undefined,
        'networks such as 10.1.0.0/16,fd00::/8, separated by commas',
      )
      .optional(),
    description:
      'networks that are not public and may be asked all the same, such as 127.0.0.0/8,10.1.0.0/16; unset: public addresses only',
  }),
  WEBHOOK_ALLOW_HTTP: setting({
    schema: flag(),
    description: 'whether endpoints may be http, which anybody on the way can read',
    default: 'false',
  }),
  WEBHOOK_TIMEOUT_SECONDS: setting({
    schema: wholeNumber({ min: 1, max: MAX_SECONDS }),
    description: 'how long an endpoint may take to answer; then it is asked again',
    default: '20',
  }),
  WEBHOOK_HOST_CONCURRENCY: setting({
    schema: wholeNumber({ min: 1, max: MAX_HOST_CONCURRENCY }),
    description:
      'deliveries to one host that one process has under way at most, so that a slow one leaves slots for others (20 in all, unless CONCURRENCY says otherwise); what is over it waits, and no attempt is spent',
    default: '5',
  }),
  WEBHOOK_HOST_RATE: setting({
    schema: wholeNumber({ min: 1, max: MAX_HOST_RATE }),
    description:
      'deliveries that one process starts to one host in a second at most; what is over it waits, and no attempt is spent',
    default: '50',
  }),
});

export type WebhookConfig = ConfigOf<typeof webhookSettings>;

function secretsIn(value: string): Secrets | undefined {
  try {
    return readSecrets(value.split(','));
  } catch {
    return undefined;
  }
}
