import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ConnectJobsOptions, connectJobs, type Jobs } from '@warren/client';
import { canStartPrivateNode, type PrivateNode, startPrivateNode } from '@warren/local-broker';
import { anyJob, endingOf, eventually, quietTelemetry, unusedPort } from '@warren/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from './support/command.ts';

const job = anyJob('probe.run');
const ROOT = process.env['WARREN_RABBITMQ_ROOT'] || '/';
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

let folder: string;
let node: PrivateNode;
let port = 0;
let ca = '';

beforeAll(async () => {
  folder = await mkdtemp(join(ROOT, 'tmp', 'warren-tls-'));
  await makeCertificates();
  ca = await pem('ca.pem');
  port = await unusedPort();
  node = await startPrivateNode({
    root: ROOT,
    extraConfig: tlsConfig(join('/tmp', folder.split('/').at(-1) as string)),
  });
}, 90_000);
afterAll(async () => {
  await node?.stop();
  await rm(folder, { recursive: true, force: true });
});

const clients: Jobs[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

const pem = (name: string) => readFile(join(folder, name), 'utf8');
const openssl = (...args: string[]) => promisify(execFile)('openssl', args, { cwd: folder });

/** A private authority, a certificate for the name broker.test alone, and one for a client; and another authority. */
async function makeCertificates(): Promise<void> {
  for (const name of ['ca', 'other']) {
    const out = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
    await openssl('req', '-x509', ...NEW_KEY, ...out, '-subj', `/CN=${name}`, '-days', '2');
  }
  await writeFile(join(folder, 'server.ext'), 'subjectAltName=DNS:broker.test\n');
  await writeFile(join(folder, 'client.ext'), 'extendedKeyUsage=clientAuth\n');
  for (const name of ['server', 'client']) {
    const out = ['-keyout', `${name}.key`, '-out', `${name}.csr`];
    await openssl('req', ...NEW_KEY, ...out, '-subj', `/CN=a ${name}`);
    const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', `${name}.ext`];
    await openssl('x509', '-req', '-in', `${name}.csr`, ...by, '-out', `${name}.pem`, '-days', '2');
  }
  // The broker runs as another user where a server package has one.
  await promisify(execFile)('chmod', ['-R', 'a+rX', folder]);
}

/** `inside` is the folder as the node sees it. */
function tlsConfig(inside: string): string {
  return [
    `listeners.ssl.1 = 127.0.0.1:${port}`,
    `ssl_options.cacertfile = ${inside}/ca.pem`,
    `ssl_options.certfile = ${inside}/server.pem`,
    `ssl_options.keyfile = ${inside}/server.key`,
    'ssl_options.verify = verify_peer',
    'ssl_options.fail_if_no_peer_cert = false',
  ].join('\n');
}

async function connect(tls: NonNullable<ConnectJobsOptions['connection']['tls']>) {
  const { logger, metrics, lines } = quietTelemetry();
  const jobs = await connectJobs({
    connection: { urls: [`amqps://127.0.0.1:${port}`], tls },
    service: 'test',
    jobs: [job],
    publish: { maxWaitMs: 20_000, timeoutMs: 20_000 },
    logger,
    metrics,
  });
  clients.push(jobs);
  return { jobs, lines };
}

/** What readiness says once an attempt has failed. */
const problemOf = (jobs: Jobs) =>
  eventually('an attempt failed', () => {
    const problem = jobs.readiness().checks['broker'];
    return problem?.includes(`127.0.0.1:${port}`) ? problem : undefined;
  });

describe.skipIf(!canStartPrivateNode())(
  'a broker with a certificate of a private authority',
  () => {
    it('is accepted with that authority and the name in the certificate', async () => {
      const { jobs } = await connect({ ca, servername: 'broker.test' });
      expect(await endingOf(jobs.publish(job, 1))).toBe('ok');
    });

    it('is refused under another name than the certificate has', async () => {
      const wrong = await connect({ ca, servername: 'elsewhere.test' });
      expect(await problemOf(wrong.jobs)).toMatch(/elsewhere\.test.*broker\.test/s);
      const unnamed = await connect({ ca });
      expect(await problemOf(unnamed.jobs)).toMatch(/127\.0\.0\.1 is not in the cert/);
    });

    it.each([
      ['none', async () => ({})],
      ['another one', async () => ({ ca: await pem('other.pem') })],
    ])('is refused with a readable reason when the authority known is %s', async (_, tls) => {
      const { jobs, lines } = await connect({ ...(await tls()), servername: 'broker.test' });
      const problem = await problemOf(jobs);
      expect(problem).toMatch(/certificate/);
      expect(problem).toMatch(/AMQP_TLS_CA|\bCA\b|authority/i);
      expect(lines.map(({ reason }) => reason)).toContain(problem);
    });

    it('is reached by the command as by a service, and refused with the same reason', async () => {
      const { jobs } = await connect({ ca, servername: 'broker.test' });
      await jobs.publish(job, 1);
      const list = (more: Record<string, string>) =>
        runCommand(['dead', 'list', job.type], {
          env: { AMQP_URL: `amqps://127.0.0.1:${port}`, WARREN_HISTORY: 'false', ...more },
          jobs: [job],
        });
      const known = { AMQP_CA_FILE: join(folder, 'ca.pem') };
      expect(await list({ ...known, AMQP_SERVERNAME: 'broker.test' })).toMatchObject({ code: 0 });
      const elsewhere = await list({ ...known, AMQP_SERVERNAME: 'elsewhere.test' });
      expect(elsewhere.code).toBe(3);
      expect(elsewhere.stderr).toMatch(/elsewhere\.test.*broker\.test/s);
      const unknown = await list({ AMQP_SERVERNAME: 'broker.test' });
      expect(unknown).toMatchObject({ code: 3, stderr: expect.stringMatching(/certificate/) });
    });

    it('sees the certificate of a client that has one', async () => {
      const [cert, key] = [await pem('client.pem'), await pem('client.key')];
      const { jobs } = await connect({ ca, servername: 'broker.test', cert, key });
      await jobs.publish(job, 1);
      const subjects = await node.ctl('list_connections', 'ssl', 'peer_cert_subject');
      expect(subjects).toContain('CN=a client');
    });

    it('is not taken for a plain one, nor a plain one for it', async () => {
      const { logger, metrics } = quietTelemetry();
      const plainAtTls = await connectJobs({
        connection: { urls: [`amqp://127.0.0.1:${port}`] },
        service: 'test',
        jobs: [job],
        logger,
        metrics,
      });
      clients.push(plainAtTls);
      expect(await problemOf(plainAtTls)).toMatch(/amqps/);
      const tlsAtPlain = await connectJobs({
        connection: { urls: [node.url.replace('amqp:', 'amqps:')], tls: { ca } },
        service: 'test',
        jobs: [job],
        logger,
        metrics,
      });
      clients.push(tlsAtPlain);
      const told = await eventually('an attempt failed', () => {
        const problem = tlsAtPlain.readiness().checks['broker'];
        return problem?.includes(`:${node.amqpPort}`) ? problem : undefined;
      });
      expect(told).toMatch(/amqps/);
    });
  },
);

describe.skipIf(!canStartPrivateNode())('wrong TLS settings', () => {
  it.each([
    ['ca', async () => ({ ca: 'nonsense' })],
    ['cert', async () => ({ ca, cert: 'nonsense', key: await pem('client.key') })],
    ['key', async () => ({ ca, cert: await pem('client.pem'), key: await pem('other.key') })],
  ])('are refused at start by name: %s', async (name, tls) => {
    await expect(connect({ ...(await tls()), servername: 'broker.test' })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(new RegExp(`tls.*${name}`, 'i')),
    });
  });
});
