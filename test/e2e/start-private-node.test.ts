import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, installedServer, isRabbitListening } from '@warren/local-broker';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../integration/support/command.ts';
import { acceptedId, mailJob, mailsOfJob, setFailure } from './support/http.ts';
import { greetingOf } from './support/local-product.ts';
import { Program } from './support/program.ts';

const FREE = { PORT: '0', MAILBOX_PORT: '0', PAYMENT_DEV_PORT: '0', WARREN_INSTALL: '0' };
const START = ['--import', 'tsx', 'test/e2e/fixtures/start-elsewhere.ts'];

describe.skipIf(!installedServer())(
  'a start on a machine where something else has the port',
  () => {
    it('says which AMQP_URL other commands need', async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'warren-data-'));
      onTestFinished(() => rm(dataDir, { recursive: true }));
      const other = createServer((socket) => socket.end('no AMQP\n')).listen(0, '127.0.0.1');
      await once(other, 'listening');
      onTestFinished(() => void other.close());
      const { port } = other.address() as AddressInfo;
      const program = new Program([...START, String(port)], {
        ...FREE,
        WARREN_DATA_DIR: dataDir,
      });
      onTestFinished(async () => void (await program.stop()));
      await greetingOf(program);
      expect(program.lines).toContain(
        `Port ${port} is taken by something that is no RabbitMQ: this one listens on another`,
      );
      const line = await program.line(/^Commands /);
      const [, url = ''] = /^Commands {2}AMQP_URL=(\S+) npx warren queues$/.exec(line) ?? [];
      const seen = await runCommand(['queues', '--interval', '1', '--json'], {
        env: { AMQP_URL: url },
        jobs: [],
      });
      expect(seen.code).toBe(0);
    });
  },
);

describe.skipIf(!installedServer())('a start on a machine without a running broker', () => {
  let dataDir: string;
  let amqpPort: number;
  let program: Program | undefined;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'warren-data-'));
    amqpPort = Number((await freePorts(1))[0]);
  });
  afterAll(async () => {
    await program?.stop();
    await rm(dataDir, { recursive: true });
  });

  async function start() {
    program = new Program([...START, String(amqpPort)], { ...FREE, WARREN_DATA_DIR: dataDir });
    return { program, ...(await greetingOf(program)) };
  }

  it('starts a broker of its own, whose jobs are still there after a restart', async () => {
    const first = await start();
    expect(first.program.lines[0]).toMatch(/^Starting a private RabbitMQ \d/);
    const consoleUrl = first.program.lines.find((line) => line.startsWith('RabbitMQ'))?.slice(10);
    expect(await (await fetch(consoleUrl ?? '')).text()).toContain('RabbitMQ Management');
    await setFailure(first.mailboxUrl, 'temporary');
    const id = await acceptedId(first.gatewayUrl, mailJob('Kept'));
    expect(await first.program.stop()).toEqual({ code: 0, signal: null });
    expect(first.program.stderr).toBe('');
    expect(first.program.lines.filter((line) => line.startsWith('Stopping'))).toEqual([
      'Stopping RabbitMQ',
    ]);
    expect(await isRabbitListening('127.0.0.1', amqpPort, 1_000)).toBe(false);

    const second = await start();
    expect(await mailsOfJob(second.mailboxUrl, id)).toHaveLength(1);
  });
});
