import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { mailsWhere } from './support/http.ts';
import {
  forgetNamespace,
  freeSettings,
  type LocalProduct,
  startLocal,
} from './support/local-product.ts';
import { type Exit, LOCAL, Program } from './support/program.ts';

const shell = promisify(execFile);

/** Beyond the grace time that it is given (1 s): closing, and a busy machine. */
const STOPS_WITHIN_MS = 15_000;

async function expectCleanStop({ program }: LocalProduct, signal: NodeJS.Signals): Promise<void> {
  const startedMs = performance.now();
  expect(await program.stop(signal)).toEqual({ code: 0, signal: null } satisfies Exit);
  expect(performance.now() - startedMs).toBeLessThan(STOPS_WITHIN_MS);
  expect(program.stderr).toBe('');
}

describe('the start command', () => {
  it.each([
    ['the service itself', LOCAL, 'SIGTERM', {}],
    // With the store that a person has who sets nothing.
    ['npm start', ['scripts/start.mjs'], 'SIGINT', { DATABASE_URL: '' }],
  ] as const)(
    '%s says in four lines where everything is, and stops',
    async (_name, args, signal, store) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'warren-start-'));
      onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
      const own = { SHUTDOWN_GRACE_SECONDS: '1', WARREN_DATA_DIR: dataDir, ...store };
      const product = await startLocal(own, args);
      onTestFinished(() => product.dispose());
      const { program, gatewayUrl, mailboxUrl, curl } = product;
      const isDefault = product.brokerUrl === 'amqp://guest:guest@127.0.0.1:5672';
      expect(program.lines).toEqual([
        expect.stringMatching(/^Gateway {3}http:\/\/127\.0\.0\.1:\d+$/),
        expect.stringMatching(/^Mailbox {3}http:\/\/127\.0\.0\.1:\d+$/),
        expect.stringMatching(
          /^RabbitMQ {2}(http:\/\/\S+|no console .*: rabbitmq-plugins enable .*)$/,
        ),
        ...(isDefault ? [] : [expect.stringMatching(/^Commands {2}npx warren queues, with /)]),
        expect.stringMatching(/^Try {7}curl /),
      ]);
      expect((await fetch(`${gatewayUrl}/readyz`)).status).toBe(200);

      const { stdout } = await shell('/bin/sh', ['-c', `${curl} --silent`]);
      expect(stdout).toContain('202 Accepted');
      const { id } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { id: string };
      const [mail] = await mailsWhere(mailboxUrl, 'of the proposed command', () => true);
      expect(mail).toMatchObject({ jobId: id, subject: 'Hello', to: 'you@example.org' });

      await expectCleanStop(product, signal);
    },
  );
});

it('says what it waits for when a stop is not over at once', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const provider = {
    PAYMENT_PROVIDER_URL: `http://127.0.0.1:${port}`,
    PAYMENT_PROVIDER_KEY: 'test',
  };
  const product = await startLocal({ ...provider, SHUTDOWN_GRACE_SECONDS: '3' });
  onTestFinished(() => product.dispose());
  const payload = { orderId: 'A-1', amount: 100, currency: 'EUR', customer: 'c-1' };
  const called = once(silent, 'connection');
  await fetch(`${product.gatewayUrl}/v1/jobs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'payment.charge', payload }),
  });
  await called;
  await expectCleanStop(product, 'SIGINT');
  expect(product.program.lines.at(-1)).toBe(
    'Stopping: running jobs have up to 3 s to end. Ctrl-C again stops at once.',
  );
});

/** Starts what must end by itself. */
async function ending(env: Record<string, string>, args: readonly string[] = []) {
  const settings = freeSettings();
  const program = new Program([...LOCAL, ...args], { ...settings, ...env });
  onTestFinished(() =>
    forgetNamespace(settings['AMQP_URL'] ?? '', settings['WARREN_NAMESPACE'] ?? ''),
  );
  return { ...(await program.exited), stdout: program.stdout, stderr: program.stderr };
}

describe('a start that cannot succeed', () => {
  let other: LocalProduct;
  beforeAll(async () => {
    other = await startLocal();
  });
  afterAll(() => other?.dispose());

  it.each(['PORT', 'MAILBOX_PORT'])('names %s when another process has it', async (setting) => {
    const url = setting === 'PORT' ? other.gatewayUrl : other.mailboxUrl;
    const { port } = new URL(url);
    const { code, stdout, stderr } = await ending({ [setting]: port });
    expect(stderr.trim().split('\n')).toEqual([
      'local: the configuration is wrong',
      `${setting}: port ${port} of 127.0.0.1 is already in use`,
    ]);
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });

  it('lists every wrong setting, without a password', async () => {
    const AMQP_URL = 'http://user:hush-hush@127.0.0.1';
    const { code, stdout, stderr } = await ending({ AMQP_URL, PORT: 'many', MAIL_FROM: 'nobody' });
    for (const name of ['AMQP_URL', 'PORT', 'MAIL_FROM']) expect(stderr).toContain(`${name}: `);
    expect(stdout + stderr).not.toContain('hush-hush');
    expect(code).toBe(1);
  });

  it('refuses arguments that it does not know', async () => {
    const { code, stdout, stderr } = await ending({}, ['--port=80']);
    expect(stderr).toBe('local: unknown argument "--port=80"; see local --help\n');
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});

describe('what the start command says about its settings', () => {
  it('lists all of them for --help, and does nothing else', async () => {
    const { code, stdout, stderr } = await ending({}, ['--help']);
    for (const name of [
      ...['PORT', 'HOST', 'MAILBOX_PORT', 'AMQP_URL', 'AMQP_PASSWORD', 'SMTP_URL', 'LOG_LEVEL'],
      ...['WARREN_NAMESPACE', 'WARREN_DATA_DIR', 'WARREN_INSTALL', 'SHUTDOWN_GRACE_SECONDS'],
    ]) {
      expect(stdout).toMatch(new RegExp(`^ {2}${name}$`, 'm'));
    }
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('warns of a misspelt one', async () => {
    const product = await startLocal({ WARREN_NAMESPCE: 'a' });
    onTestFinished(() => product.dispose());
    const warning = await product.program.line(/WARREN_NAMESPCE/);
    expect(JSON.parse(warning)).toMatchObject({
      msg: 'WARREN_NAMESPCE is not a setting and was ignored; did you mean WARREN_NAMESPACE?',
    });
  });
});
