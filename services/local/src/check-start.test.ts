import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CannotStartError, loadConfig, noteGateway } from '@warren/runtime';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { checkStart } from './check-start.ts';
import { localSettings } from './config.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'warren-check-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

const check = (env: Readonly<Record<string, string>> = {}) => {
  const free = { PORT: '0', MAILBOX_PORT: '0', PAYMENT_DEV_PORT: '0', WARREN_DATA_DIR: dataDir };
  return checkStart(loadConfig(localSettings, { ...free, ...env }));
};

async function takenPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return String((server.address() as AddressInfo).port);
}

it('is content where nothing is in the way, and leaves nothing behind', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  await check({ PORT: String(port) });
  await check({ PORT: String(port) });
});

it.each(['PORT', 'MAILBOX_PORT', 'PAYMENT_DEV_PORT'])(
  'names %s where it is taken',
  async (setting) => {
    const port = await takenPort();
    await expect(check({ [setting]: port })).rejects.toMatchObject({
      setting,
      message: `${setting}: port ${port} of 127.0.0.1 is already in use`,
    });
  },
);

it('does not mind a port that it would not use', async () => {
  const port = await takenPort();
  await check({ MAILBOX_PORT: port, SMTP_URL: 'smtp://mail.example' });
  await check({
    PAYMENT_DEV_PORT: port,
    PAYMENT_PROVIDER_URL: 'https://pay.example',
    PAYMENT_PROVIDER_KEY: 'k',
  });
});

it('says who has the embedded store, and where its gateway is', async () => {
  await mkdir(join(dataDir, 'store'));
  await writeFile(join(dataDir, 'store.lock'), `${process.ppid}`);
  await noteGateway(dataDir, 'http://127.0.0.1:3000');
  const refused = check({ PORT: await takenPort() });
  await expect(refused).rejects.toThrow(CannotStartError);
  await expect(refused).rejects.toThrow(
    `the process with id ${process.ppid} has ${dataDir}/store, and its gateway is at http://127.0.0.1:3000. Stop it first`,
  );
  await check({ DATABASE_URL: 'postgres://db.example/warren' });
});
