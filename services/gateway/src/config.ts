import { type Duration, type LimitRule, resolveLimitRate } from '@warren/contracts';
import {
  apiKeys,
  brokerSettings,
  type ConfigOf,
  defineConfig,
  flag,
  historySettings,
  opsSettings,
  port,
  readableFile,
  setting,
  storeSettings,
  text,
  wholeNumber,
} from '@warren/runtime';

const MIB = 1024 * 1024;

/** Environment variables of the gateway. */
export const gatewaySettings = defineConfig({
  ...opsSettings,
  ...brokerSettings,
  ...historySettings,
  PORT: setting({
    schema: port(),
    description: 'port of the HTTP API; 0 for any free one',
    default: '3000',
  }),
  HOST: setting({
    schema: text(),
    description:
      'address that PORT is opened on; one that other machines reach needs WARREN_API_KEYS, or WARREN_ALLOW_UNAUTHENTICATED',
    default: '127.0.0.1',
  }),
  WARREN_API_KEYS: setting({
    schema: apiKeys().optional(),
    description:
      'keys of callers as `warren keys new` makes them, such as ci:publish+read:<SHA-256 in hex>,ops:admin:<SHA-256 in hex>; several of one name are for rotation. Unset, as WARREN_API_KEYS_FILE: callers are not authenticated',
    secret: true,
  }),
  WARREN_API_KEYS_FILE: setting({
    schema: readableFile().optional(),
    description: 'more of them, one on each line; read at the start',
  }),
  WARREN_API_KEY_RATE: setting({
    schema: requestRate().optional(),
    description:
      'requests of each name, such as 100/1s, and so many at once after a rest; counted by each gateway for itself, a bulk as one. Unset: no limit',
  }),
  WARREN_ALLOW_UNAUTHENTICATED: setting({
    schema: flag(),
    description:
      'allow a HOST that other machines reach although callers are not authenticated, where there are no keys',
    default: 'false',
  }),
  BODY_LIMIT_BYTES: setting({
    schema: wholeNumber({ min: 1_024, max: 64 * MIB }),
    description: 'largest body of a request with one job or event, and largest line of NDJSON',
    default: String(16 * MIB),
  }),
  BULK_LIMIT_BYTES: setting({
    schema: wholeNumber({ min: 1_024, max: 256 * MIB }),
    description: 'largest JSON array of jobs; NDJSON may have any length',
    default: String(32 * MIB),
  }),
  DATABASE_URL: {
    ...storeSettings.DATABASE_URL,
    description:
      'PostgreSQL 15 or newer, for what happens to jobs; unset: nothing is kept, and jobs are refused while RabbitMQ is away',
  },
  OUTBOX_MAX_PENDING: setting({
    schema: wholeNumber({ min: 1, max: 10_000_000 }),
    description: 'jobs that are accepted while RabbitMQ is away, at most',
    default: '100000',
  }),
  LIVE_MAX_CLIENTS: setting({
    schema: wholeNumber({ min: 1, max: 100_000 }),
    description:
      'clients that follow server-sent events, or wait for a job with `wait`, at once, at most',
    default: '1000',
  }),
  PUBLISH_TIMEOUT_SECONDS: setting({
    schema: wholeNumber({ min: 1, max: 300 }),
    description: "how long a request waits for the broker's confirm",
    default: '10',
  }),
});

export type GatewayConfig = ConfigOf<typeof gatewaySettings>;

/** As many requests may come at once as in the whole time: a page that shows much asks for it all at once. */
function requestRate() {
  return text()
    .transform(rateIn)
    .refine((rule) => rule !== undefined, 'requests in a time, such as 100/1s');
}

function rateIn(value: string): LimitRule | undefined {
  const [, requests, per] = /^(\d{1,7})\/(\S{1,20})$/.exec(value) ?? [];
  const rate = Number(requests);
  try {
    return resolveLimitRate({ rate, per: per as Duration, burst: rate }, 'rate');
  } catch {
    return undefined;
  }
}
