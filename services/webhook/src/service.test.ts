import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@warren/runtime';
import { createMetrics } from '@warren/telemetry';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { webhookSettings } from './config.ts';
import { quietLogger } from './fixtures/quiet-logger.ts';
import { createService, type WebhookDeps } from './service.ts';

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'warren-webhook-'));
});
afterAll(() => rm(folder, { recursive: true }));

function create(env: Record<string, string>, deps: Partial<WebhookDeps> = {}) {
  const config = loadConfig(webhookSettings, {
    AMQP_URL: 'amqp://127.0.0.1:1',
    // Nothing is to be told at the stop.
    WARREN_HISTORY: 'false',
    ...env,
  });
  const metrics = createMetrics({ service: 'webhook', version: 'test', processMetrics: false });
  return createService(config, { logger: quietLogger, metrics, ...deps });
}

describe('the webhook service', () => {
  it('does not begin with nothing to sign with', () => {
    expect(() => create({})).toThrow(expect.objectContaining({ setting: 'WEBHOOK_SECRETS' }));
  });

  it('takes secrets from a file, and names it where it is wrong, without showing what is in it', async () => {
    const [right, wrong] = [join(folder, 'right'), join(folder, 'wrong')];
    await writeFile(right, `# of May\ndefault=${SECRET}\n`);
    await writeFile(wrong, `\ndefault=whsec_hush\n`);
    expect(() => create({ WEBHOOK_SECRETS_FILE: right })).not.toThrow();
    const bad = () => create({ WEBHOOK_SECRETS_FILE: wrong, WEBHOOK_SECRETS: `a=${SECRET}` });
    expect(bad).toThrow(/^WEBHOOK_SECRETS_FILE: the secret at place 2 is not/);
    expect(bad).not.toThrow(/hush/);
  });

  it('starts while the broker is away, with a secret of its own where it may', async () => {
    const file = join(folder, 'own');
    const service = create({}, { developmentSecretFile: file });
    onTestFinished(() => service.stop());
    await service.start();
    expect(service.ready().ready).toBe(false);
    expect(service.healthy?.()).toBe(true);
    expect(await readFile(file, 'utf8')).toMatch(/^whsec_/);
  });
});

describe('its settings', () => {
  it('are safe unless told otherwise', () => {
    expect(loadConfig(webhookSettings, {})).toMatchObject({
      WEBHOOK_ALLOW_NETWORKS: undefined,
      WEBHOOK_ALLOW_HTTP: false,
      WEBHOOK_TIMEOUT_SECONDS: 20,
      WEBHOOK_HOST_CONCURRENCY: 5,
      WEBHOOK_HOST_RATE: 50,
    });
  });

  it('take several secrets and networks', () => {
    const config = loadConfig(webhookSettings, {
      WEBHOOK_SECRETS: `default=${SECRET},default=${SECRET}, acme=${SECRET}`,
      WEBHOOK_ALLOW_NETWORKS: '127.0.0.1, fd00::/8',
    });
    expect(config.WEBHOOK_SECRETS?.get('default')).toHaveLength(2);
    expect(config.WEBHOOK_ALLOW_NETWORKS?.has('127.0.0.1')).toBe(true);
  });

  it.each([
    ['WEBHOOK_SECRETS', 'default=whsec_hush'],
    ['WEBHOOK_SECRETS', SECRET],
    ['WEBHOOK_ALLOW_NETWORKS', 'localhost'],
    ['WEBHOOK_ALLOW_NETWORKS', '10.0.0.0/33'],
    ['WEBHOOK_ALLOW_HTTP', 'perhaps'],
    ['WEBHOOK_TIMEOUT_SECONDS', '51'],
    ['WEBHOOK_HOST_CONCURRENCY', '0'],
    ['WEBHOOK_HOST_RATE', '0'],
    ['WEBHOOK_SECRETS_FILE', '/nowhere'],
  ])('refuse %s=%j, naming it', (name, value) => {
    const load = () => loadConfig(webhookSettings, { [name]: value });
    expect(load).toThrow(new RegExp(`^${name}: must be`));
    if (name === 'WEBHOOK_SECRETS') expect(load).not.toThrow(value);
  });
});
