import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { brokerConnection } from './broker-connection.ts';
import { loadConfig } from './config.ts';
import { brokerSettings } from './shared-settings.ts';

const connectionFrom = (env: Record<string, string>) =>
  brokerConnection(loadConfig(brokerSettings, env));

it('takes everything from the environment', () => {
  const connection = connectionFrom({
    AMQP_URL: 'amqp://a,amqp://b:5673',
    AMQP_USERNAME: 'u',
    AMQP_PASSWORD: 'p@/:',
    AMQP_VHOST: '/v',
    AMQP_HEARTBEAT_SECONDS: '20',
  });
  expect(connection).toEqual({
    urls: ['amqp://a', 'amqp://b:5673'],
    username: 'u',
    password: 'p@/:',
    vhost: '/v',
    heartbeatSeconds: 20,
  });
});

it('reads certificates from their files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'warren-tls-'));
  const file = join(folder, 'ca.pem');
  writeFileSync(file, 'the certificate');
  const { tls } = connectionFrom({ AMQP_CA_FILE: file, AMQP_SERVERNAME: 'rabbit.example.org' });
  expect(tls).toMatchObject({ ca: 'the certificate', servername: 'rabbit.example.org' });
  rmSync(folder, { recursive: true });
});
