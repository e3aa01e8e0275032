import { describe, expect, test } from 'vitest';
import { helpText } from './config-help.ts';
import { port, text } from './schemas.ts';
import { defineConfig, setting } from './setting.ts';
import { brokerSettings, opsSettings } from './shared-settings.ts';

describe('helpText', () => {
  test('lists each variable with description and default, and marks secrets and what is required', () => {
    const definition = defineConfig({
      PORT: setting({ schema: port(), description: 'where to listen', default: '3000' }),
      SMTP_URL: setting({ schema: text(), description: 'mail server' }),
      API_KEY: setting({ schema: text().optional(), description: 'key', secret: true }),
    });
    expect(helpText('gateway', definition)).toBe(
      [
        'Usage: gateway [--help]',
        '',
        'Configured by environment variables; an empty one counts as unset.',
        '',
        '  PORT\n      where to listen [default: 3000]',
        '  SMTP_URL\n      mail server [required]',
        '  API_KEY\n      key (secret)',
        '',
      ].join('\n'),
    );
  });

  test('names every shared variable', () => {
    const help = helpText('x', { ...brokerSettings, ...opsSettings });
    for (const name of [...Object.keys(brokerSettings), ...Object.keys(opsSettings)]) {
      expect(help).toContain(`  ${name}\n`);
    }
  });
});
