import {
  brokerSettings,
  type ConfigOf,
  defineConfig,
  flag,
  historySettings,
  opsSettings,
  port,
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
      'address that PORT is opened on; one that other machines reach needs WARREN_ALLOW_UNAUTHENTICATED',
    default: '127.0.0.1',
  }),
  WARREN_ALLOW_UNAUTHENTICATED: setting({
    schema: flag(),
    description: 'allow a HOST that other machines reach, although callers are not authenticated',
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
