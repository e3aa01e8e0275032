import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalog } from '@warren/catalog';
import { createService as createDocuments, documentsSettings } from '@warren/documents';
import { createService as createEmail, emailSettings } from '@warren/email';
import { createService as createGateway, gatewaySettings } from '@warren/gateway';
import { canStartPrivateNode, type PrivateNode, startPrivateNode } from '@warren/local-broker';
import { createService as createPayment, paymentSettings } from '@warren/payment';
import { loadConfig, opsSettings, type Service } from '@warren/runtime';
import { eventually, quietTelemetry, withScratchDatabase } from '@warren/testing';
import { createService as createTracker, trackerSettings } from '@warren/tracker';
import { createService as createWebhook, webhookSettings } from '@warren/webhook';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ComposeService, composeFile } from '../meta/compose-file.ts';
import { repositoryFile } from '../support/repository-file.ts';
import { runCommand } from './support/command.ts';
import { PaymentProvider } from './support/payment-provider.ts';

const START_MS = 120_000;
const WITHIN_MS = 240_000;
const USERS = ['GATEWAY', 'EMAIL', 'DOCUMENTS', 'PAYMENT', 'WEBHOOK', 'TRACKER', 'OPERATOR'];
const ADMINISTRATOR = 'a$b/c';

/** What `.env` would say. */
const variables = (round: string) => ({
  RABBITMQ_PASSWORD: ADMINISTRATOR,
  ...Object.fromEntries(USERS.map((user) => [`RABBITMQ_${user}_PASSWORD`, `${round}=${user}/`])),
  POSTGRES_PASSWORD: 'a0b1',
  GRAFANA_PASSWORD: 'c2d3',
  WEBHOOK_SECRETS: `default=whsec_${Buffer.alloc(32, 1).toString('base64')}`,
});

describe.skipIf(!canStartPrivateNode())('a broker as docker-compose.yml sets it up', () => {
  let node: PrivateNode;
  let services: Readonly<Record<string, ComposeService>>;
  let dataDir: string | undefined;
  let endpoint: Server;
  const provider = new PaymentProvider();

  beforeAll(async () => {
    const plugins = await repositoryFile('deploy/rabbitmq/enabled_plugins');
    node = await startPrivateNode({
      plugins: plugins.replaceAll(/[[\].\s]/g, '').split(','),
      extraConfig: await repositoryFile('deploy/rabbitmq/rabbitmq.conf'),
    });
    // As the image makes it at the first start.
    await node.eval(
      `rabbit_auth_backend_internal:add_user(<<"warren">>, <<"${ADMINISTRATOR}">>, <<"test">>),
      rabbit_auth_backend_internal:set_tags(<<"warren">>, [administrator], <<"test">>),
      rabbit_auth_backend_internal:set_permissions(<<"warren">>, <<"/">>, <<".*">>, <<".*">>, <<".*">>, <<"test">>),
      rabbit_auth_backend_internal:delete_user(<<"guest">>, <<"test">>).`,
    );
    ({ services } = composeFile(variables('first')));
    dataDir = await mkdtemp(join(tmpdir(), 'warren-deployed-'));
    const pdf = await makePdf();
    endpoint = createServer((request, response) => {
      request.resume();
      if (request.url === '/gone') response.writeHead(404).end();
      else response.setHeader('content-type', 'application/pdf').end(pdf);
    });
    await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  }, START_MS);
  afterAll(async () => {
    provider.stop();
    endpoint?.closeAllConnections();
    endpoint?.close();
    await node?.stop();
    if (dataDir) await rm(dataDir, { recursive: true });
  }, START_MS);

  /** What a service is told, with the places of this machine for those of the containers. */
  const environmentOf = (name: string, more: Readonly<Record<string, string>> = {}) => ({
    ...Object.fromEntries(
      Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [
        key,
        (value ?? '')
          .replace('rabbitmq:5672', `127.0.0.1:${node.amqpPort}`)
          .replace('rabbitmq:15672', `127.0.0.1:${node.managementPort}`),
      ]),
    ),
    ...more,
  });
  const run = (name: string, args = services[name]?.command ?? []) =>
    runCommand(args, { env: environmentOf(name), jobs: catalog });

  const logsIn = (password: string) =>
    node.eval(
      `element(1, rabbit_access_control:check_user_pass_login(<<"warren-email">>, <<"${password}">>)).`,
    );

  it('takes what rabbitmq.conf says', async () => {
    const told = await node.eval(
      '[element(2, application:get_env(rabbit, Key)) || Key <- [vm_memory_high_watermark, disk_free_limit, consumer_timeout]].',
    );
    expect(told.replaceAll(/\s|"/g, '')).toMatch(
      /^\[\{absolute,(1200MiB|1258291200)\},(\{absolute,2GB\}|2GB),1800000\]$/,
    );
  });

  it('has users with the passwords of .env, and those that were changed there later', async () => {
    expect(await run('setup')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('7 of 7 users are new, 7 have the password'),
    });
    expect(await logsIn('first=EMAIL/')).toBe('ok');
    ({ services } = composeFile(variables('second')));
    expect(await run('setup')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('0 of 7 users are new, 7 have the password'),
    });
    expect(await logsIn('second=EMAIL/')).toBe('ok');
    expect(await logsIn('first=EMAIL/')).toBe('refused');
    expect(await run('topology')).toMatchObject({ code: 0 });
  }, 120_000);

  it(
    'lets every service do all its work, as its own user',
    async () => {
      await withScratchDatabase(async (_pool, databaseUrl) => {
        const at = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`;
        const gateway = createGateway(
          loadConfig(
            { ...opsSettings, ...gatewaySettings },
            environmentOf('gateway', { HOST: '127.0.0.1', PORT: '0', DATABASE_URL: databaseUrl }),
          ),
          quietTelemetry('gateway'),
        );
        const started: readonly Service[] = [
          gateway,
          createTracker(
            loadConfig(trackerSettings, environmentOf('tracker', { DATABASE_URL: databaseUrl })),
            quietTelemetry('tracker'),
          ),
          createEmail(
            loadConfig(emailSettings, environmentOf('email', { SMTP_URL: '', MAILBOX_PORT: '0' })),
            quietTelemetry('email'),
          ),
          createDocuments(
            loadConfig(
              documentsSettings,
              environmentOf('documents', {
                WARREN_DATA_DIR: dataDir ?? '',
                DOCUMENT_ALLOW_PRIVATE: 'true',
              }),
            ),
            quietTelemetry('documents'),
          ),
          createPayment(
            loadConfig(
              paymentSettings,
              environmentOf('payment', {
                DATABASE_URL: databaseUrl,
                PAYMENT_PROVIDER_URL: await provider.start(),
                PAYMENT_PROVIDER_KEY: 'key',
              }),
            ),
            quietTelemetry('payment'),
          ),
          createWebhook(
            loadConfig(
              webhookSettings,
              environmentOf('webhook', {
                WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
                WEBHOOK_ALLOW_HTTP: '1',
              }),
            ),
            quietTelemetry('webhook'),
          ),
        ];
        try {
          for (const service of started) await service.start();
          await eventually(
            'all are ready',
            () => started.every((one) => one.ready().ready),
            60_000,
          );
          const url = gateway.url() ?? '';
          const works = [
            { type: 'email.send', payload: { to: 'ada@example.org', subject: 'Hi', text: 'Hi' } },
            {
              type: 'email.campaign',
              payload: {
                campaign: 'spring',
                template: { subject: 'Hi', text: 'Hi' },
                recipients: [{ to: 'ada@example.org' }],
              },
            },
            { type: 'document.fetch', payload: { url: `${at}/a.pdf` } },
            {
              type: 'payment.charge',
              payload: { orderId: 'o1', amount: 100, currency: 'EUR', customer: 'c1' },
            },
            { type: 'webhook.deliver', payload: { url: at, eventType: 'order.paid', data: {} } },
          ];
          const endings = works.map(async (job) => [job.type, await endOf(url, job)]);
          expect(await Promise.all(endings)).toEqual(works.map(({ type }) => [type, 'succeeded']));
          const gone = { type: 'document.fetch', payload: { url: `${at}/gone` } };
          expect(await endOf(url, gone)).toBe('dead');
          const dead = await run('warren', ['dead', 'list', 'document.fetch']);
          expect(dead).toMatchObject({ code: 0, stdout: expect.stringContaining('404') });
          // Jobs that handlers publish.
          for (const type of ['document.analyse', 'email.campaign-part']) {
            await eventually(
              `${type} succeeded`,
              async () => {
                const found = await fetch(`${url}/v1/jobs?type=${type}`);
                const { jobs } = (await found.json()) as { jobs: readonly { state: string }[] };
                return jobs.map(({ state }) => state).join() === 'succeeded';
              },
              60_000,
            );
          }
        } finally {
          for (const service of started.toReversed()) await service.stop();
        }
      });
    },
    WITHIN_MS,
  );
});

/** Publishes a job at the gateway, and resolves with how it ended, as the tracker has written down. */
async function endOf(url: string, job: object): Promise<unknown> {
  const accepted = await fetch(`${url}/v1/jobs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(job),
  });
  const { id } = (await accepted.json()) as { id: string };
  const seen = await fetch(`${url}/v1/jobs/${id}?wait=60s`);
  const { state } = (await seen.json()) as { state: unknown };
  return state;
}

async function makePdf(): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  document.addPage().drawText('Two words', { font });
  return Buffer.from(await document.save());
}
