import { documentsSettings } from '@warren/documents';
import { emailSettings } from '@warren/email';
import { gatewaySettings } from '@warren/gateway';
import { paymentSettings } from '@warren/payment';
import { type ConfigOf, defineConfig, oneOf, setting, text } from '@warren/runtime';
import { LOG_LEVELS } from '@warren/telemetry';
import { trackerSettings } from '@warren/tracker';
import { webhookSettings } from '@warren/webhook';

/** Environment variables of everything in one process: those of every service, and its own. */
export const localSettings = defineConfig({
  ...gatewaySettings,
  ...emailSettings,
  ...documentsSettings,
  ...paymentSettings,
  ...webhookSettings,
  ...trackerSettings,
  AMQP_URL: setting({
    schema: gatewaySettings.AMQP_URL.schema.optional(),
    description:
      'RabbitMQ; unset: the one on 127.0.0.1:5672, else a private node of an installed server, else Docker, else the installed package',
    secret: true,
  }),
  LOG_LEVEL: setting({
    schema: oneOf(LOG_LEVELS),
    description: gatewaySettings.LOG_LEVEL.description,
    default: 'warn',
  }),
  WARREN_DATA_DIR: setting({
    schema: text(),
    description:
      'folder for what is kept on this machine: the embedded store, documents, a secret for webhooks, and the data of a broker that is started here',
    default: '.warren',
  }),
  WARREN_INSTALL: setting({
    schema: text().optional(),
    description: '0: never install packages on this machine',
  }),
});

export type LocalConfig = ConfigOf<typeof localSettings>;
