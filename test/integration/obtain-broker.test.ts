import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedServer, isRabbitListening, obtainBroker } from '@warren/local-broker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const noLog = (): void => undefined;

/** A port at which nobody listens: a stand-in for localhost:5672 on a machine without a broker. */
async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

describe.skipIf(!installedServer())('without a broker on localhost', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'warren-data-'));
  });
  afterAll(() => rm(dataDir, { recursive: true }));

  it('a private node starts there, is found by the next call, and ends with its owner', {
    timeout: 120_000,
  }, async () => {
    const localBroker = { host: '127.0.0.1', port: await unusedPort() };
    const logged: string[] = [];
    const log = (line: string): void => void logged.push(line);
    const options = {
      env: { ...process.env, AMQP_URL: '', WARREN_DATA_DIR: dataDir },
      localBroker,
    };

    const first = await obtainBroker({ ...options, log });
    expect(first).toMatchObject({ origin: 'private node' });
    expect(first.url).toBe(`amqp://guest:guest@127.0.0.1:${localBroker.port}`);
    expect(logged).toEqual([expect.stringMatching(/^Starting a private RabbitMQ/)]);
    const page = await fetch(first.consoleUrl as string);
    expect(await page.text()).toContain('RabbitMQ Management');

    const second = await obtainBroker({ ...options, log: noLog });
    expect(second).toMatchObject({ url: first.url, origin: 'localhost' });
    await second.stop();
    expect(await isRabbitListening('127.0.0.1', localBroker.port, 2000)).toBe(true);

    await first.stop();
    expect(await isRabbitListening('127.0.0.1', localBroker.port, 2000)).toBe(false);
  });
});
