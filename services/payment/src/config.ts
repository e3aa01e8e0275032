import { catalog } from '@warren/catalog';
import {
  brokerSettings,
  type ConfigOf,
  defineConfig,
  historySettings,
  opsSettings,
  port,
  setting,
  storeSettings,
  text,
  wholeNumber,
  workerSettings,
} from '@warren/runtime';

/** Below the timeout of the job type, so that a failure says what took so long. */
const MAX_SECONDS = 50;

/** Environment variables of the payment service. */
export const paymentSettings = defineConfig({
  ...opsSettings,
  ...brokerSettings,
  ...historySettings,
  ...storeSettings,
  ...workerSettings(catalog),
  PAYMENT_PROVIDER_URL: setting({
    schema: text()
      .refine(isProviderUrl, 'an http or https URL without user, password, query and fragment')
      .optional(),
    description:
      'payment provider: charges are posted to `charges` below it; must be set, but with `npm start`, which has a provider for development',
  }),
  PAYMENT_PROVIDER_KEY: setting({
    schema: text()
      .regex(/^[\x21-\x7e]+$/, 'visible ASCII characters')
      .optional(),
    description: 'what the payment provider knows this installation by; sent as a bearer token',
    secret: true,
  }),
  PAYMENT_TIMEOUT_SECONDS: setting({
    schema: wholeNumber({ min: 1, max: MAX_SECONDS }),
    description: 'how long the payment provider may take to answer; then the same is asked again',
    default: '20',
  }),
  PAYMENT_DEV_PORT: setting({
    schema: port(),
    description:
      'port of the payment provider for development on 127.0.0.1, which `npm start` has while PAYMENT_PROVIDER_URL is unset; 0 for any free one',
    default: '8026',
  }),
});

export type PaymentConfig = ConfigOf<typeof paymentSettings>;

function isProviderUrl(url: string): boolean {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return false;
  const { username, password, search, hash } = new URL(url);
  return [username, password, search, hash].every((part) => part === '');
}
