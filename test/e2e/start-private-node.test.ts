import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, installedServer, isRabbitListening } from '@warren/local-broker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptedId, mailJob, mailsOfJob, setFailure } from './support/http.ts';
import { greetingOf } from './support/local-product.ts';
import { Program } from './support/program.ts';

const START = ['--import', 'tsx', 'test/e2e/fixtures/start-elsewhere.ts'];

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
    const settings = {
      PORT: '0',
      MAILBOX_PORT: '0',
      PAYMENT_DEV_PORT: '0',
      WARREN_DATA_DIR: dataDir,
    };
    program = new Program([...START, String(amqpPort)], { ...settings, WARREN_INSTALL: '0' });
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
    expect(await isRabbitListening('127.0.0.1', amqpPort, 1_000)).toBe(false);

    const second = await start();
    expect(await mailsOfJob(second.mailboxUrl, id)).toHaveLength(1);
  });
});
