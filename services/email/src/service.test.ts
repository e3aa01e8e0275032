import { loadConfig } from '@warren/runtime';
import { createMetrics } from '@warren/telemetry';
import { afterEach, describe, expect, it } from 'vitest';
import { emailSettings } from './config.ts';
import { quietLogger } from './fixtures/quiet-logger.ts';
import { createService, type EmailService } from './service.ts';

let service: EmailService;
afterEach(() => service.stop());

/** Nothing listens on this port of loopback. */
const NO_BROKER = 'amqp://127.0.0.1:9';

function create(env: Record<string, string> = {}): EmailService {
  const config = loadConfig(emailSettings, { AMQP_URL: NO_BROKER, MAILBOX_PORT: '0', ...env });
  service = createService(config, {
    logger: quietLogger,
    metrics: createMetrics({ service: 'email', version: '0.0.0' }),
  });
  return service;
}

describe('the e-mail service while the broker is away', () => {
  it('starts with its mailbox, is not ready but healthy, and stops', async () => {
    await create().start();
    const url = service.mailboxUrl() ?? '';
    expect(await (await fetch(`${url}/messages`)).json()).toEqual([]);
    expect(service.ready()).toMatchObject({
      ready: false,
      checks: {
        'consumer email.campaign': expect.any(String),
        'publish broker': expect.any(String),
      },
    });
    expect(service.ready().checks['publish broker']).not.toBe('ok');
    expect(service.healthy?.()).toBe(true);
    await service.stop();
    await expect(fetch(url)).rejects.toThrow();
  });

  it('has no mailbox where there is a mail server', async () => {
    await create({ SMTP_URL: 'smtp://127.0.0.1:9' }).start();
    expect(service.mailboxUrl()).toBeUndefined();
  });

  it('names MAILBOX_PORT where it is in use', async () => {
    await create().start();
    const first = service;
    const { port } = new URL(first.mailboxUrl() ?? '');
    await expect(create({ MAILBOX_PORT: port }).start()).rejects.toMatchObject({
      setting: 'MAILBOX_PORT',
    });
    await first.stop();
  });
});
