import {
  brokerSettings,
  type ConfigOf,
  defineConfig,
  historySettings,
  setting,
  storeSettings,
  text,
  tracingSettings,
} from '@warren/runtime';

/** Environment variables of the command `warren`. */
export const adminSettings = defineConfig({
  ...brokerSettings,
  ...historySettings,
  ...storeSettings,
  ...tracingSettings,
  WARREN_MANAGEMENT_URL: setting({
    schema: text().refine(isHttpUrl, 'an http:// or https:// URL').optional(),
    description:
      "RabbitMQ's management API, such as http://127.0.0.1:15672: `warren topology diff` compares bindings through it, `warren doctor` sees policies and nodes, `warren setup --apply` makes users; user and password are those of AMQP unless the URL has its own",
    secret: true,
  }),
});

export type AdminConfig = ConfigOf<typeof adminSettings>;

function isHttpUrl(url: string): boolean {
  return /^https?:\/\/[^/?#]/.test(url) && URL.canParse(url);
}
