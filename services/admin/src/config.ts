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
import { readPasswords } from './domain/setup/given-passwords.ts';

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
  WARREN_USER_PASSWORDS: setting({
    schema: text()
      .transform((value) => readPasswords(value))
      .refine(
        (passwords) => passwords !== undefined,
        'service=password entries, separated by commas, one for each service',
      )
      .optional(),
    description:
      'passwords for the users of `warren setup`, such as gateway=…,email=…,operator=…, without commas or white space; with `--apply` a user that exists gets it, too. Who is not named gets a new one',
    secret: true,
  }),
});

export type AdminConfig = ConfigOf<typeof adminSettings>;

function isHttpUrl(url: string): boolean {
  return /^https?:\/\/[^/?#]/.test(url) && URL.canParse(url);
}
