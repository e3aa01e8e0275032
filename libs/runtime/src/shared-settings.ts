import { LOG_LEVELS } from '@warren/telemetry';
import { z } from 'zod';
import { brokerUrls } from './broker-url.ts';
import { flag, oneOf, port, readableFile, text, wholeNumber } from './schemas.ts';
import { defineConfig, setting } from './setting.ts';

/** Variables of every process that talks to RabbitMQ. */
export const brokerSettings = defineConfig({
  AMQP_URL: setting({
    schema: brokerUrls(),
    description: 'RabbitMQ, several nodes separated by commas',
    // Not `localhost`: it may resolve to ::1, where a broker on IPv4 does not listen.
    default: 'amqp://127.0.0.1:5672',
    secret: true,
  }),
  AMQP_USERNAME: setting({
    schema: text().optional(),
    description: 'user name; goes before the one in AMQP_URL',
  }),
  AMQP_PASSWORD: setting({
    schema: text().optional(),
    description: 'password as it is, nothing encoded; goes before the one in AMQP_URL',
    secret: true,
  }),
  AMQP_VHOST: setting({
    schema: text().optional(),
    description: 'virtual host; goes before the one in AMQP_URL',
  }),
  AMQP_CA_FILE: setting({
    schema: readableFile().optional(),
    description: 'certificates (PEM) that sign the one of the broker',
  }),
  AMQP_CERT_FILE: setting({
    schema: readableFile().optional(),
    description: 'certificate (PEM) of this client',
  }),
  AMQP_KEY_FILE: setting({
    schema: readableFile().optional(),
    description: 'private key (PEM) of AMQP_CERT_FILE',
  }),
  AMQP_SERVERNAME: setting({
    schema: text().optional(),
    description: "name that the broker's certificate must carry, where it is not the host's",
  }),
  AMQP_HEARTBEAT_SECONDS: setting({
    schema: wholeNumber({ min: 5, max: 60 }),
    description: 'a connection that is silent for twice as long is given up',
    default: '10',
  }),
  WARREN_NAMESPACE: setting({
    schema: z
      .string()
      .regex(/^[a-z][a-z0-9_-]{0,39}$/, 'a lower-case word of at most 40 letters, digits, _ and -')
      .optional(),
    description: 'prefix of every name at the broker, so that installations can share one',
  }),
});

/** Variables of every process that tells or reads what happens to jobs. */
export const historySettings = defineConfig({
  WARREN_HISTORY: setting({
    schema: flag(),
    description: 'whether to tell what happens to jobs, for GET /v1/jobs and the like',
    default: 'true',
  }),
  HISTORY_MAX_AGE_DAYS: setting({
    schema: wholeNumber({ min: 1, max: 3_650 }),
    description:
      'how long RabbitMQ keeps what happened to jobs; counts when its stream is first declared',
    default: '7',
  }),
  HISTORY_MAX_BYTES: setting({
    schema: wholeNumber({ min: 1_000_000, max: 1_000_000_000_000 }),
    description:
      'how much of what happened to jobs RabbitMQ keeps; counts when its stream is first declared',
    default: '5000000000',
  }),
});

/** Variables of every process that uses the store. */
export const storeSettings = defineConfig({
  DATABASE_URL: setting({
    schema: text().refine(isPostgresUrl, 'a URL such as postgres://user@host/database').optional(),
    description:
      'PostgreSQL 15 or newer; unset: an embedded one in the folder `store` of WARREN_DATA_DIR, for one process',
    secret: true,
  }),
  WARREN_DATA_DIR: setting({
    schema: text().min(1, 'a folder'),
    description: 'folder for what is kept on this machine',
    default: '.warren',
  }),
});

function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url) && URL.canParse(url);
}

/** Variables of every process. */
export const opsSettings = defineConfig({
  OPS_PORT: setting({
    schema: port().optional(),
    description: 'port of /healthz, /readyz and /metrics; 0 for any free one, unset for none',
  }),
  OPS_HOST: setting({
    schema: text(),
    description: 'address that OPS_PORT is opened on',
    default: '127.0.0.1',
  }),
  LOG_LEVEL: setting({
    schema: oneOf(LOG_LEVELS),
    description: `least severe lines to log: ${LOG_LEVELS.join(', ')}`,
    default: 'info',
  }),
  SHUTDOWN_GRACE_SECONDS: setting({
    schema: wholeNumber({ min: 0, max: 3_600 }),
    description: 'time for running jobs to end after SIGTERM',
    default: '20',
  }),
});
