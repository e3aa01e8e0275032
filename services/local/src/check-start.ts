import { once } from 'node:events';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { ConfigInvalidError } from '@warren/contracts';
import { CannotStartError, notedGateway, storeLocation } from '@warren/runtime';
import { folderHolder } from '@warren/store';
import type { LocalConfig } from './config.ts';

const LOOPBACK = '127.0.0.1';

/**
 * Finds out what would end the start later, before a broker is looked for or started.
 * @throws CannotStartError where another process has the embedded store; ConfigInvalidError naming a port that is taken
 */
export async function checkStart(config: LocalConfig): Promise<void> {
  if (config.DATABASE_URL === undefined) await checkStore(config);
  await checkPort('PORT', config.PORT, config.HOST);
  if (config.SMTP_URL === undefined) await checkPort('MAILBOX_PORT', config.MAILBOX_PORT);
  if (config.PAYMENT_PROVIDER_URL === undefined) {
    await checkPort('PAYMENT_DEV_PORT', config.PAYMENT_DEV_PORT);
  }
}

async function checkStore(config: LocalConfig): Promise<void> {
  const folder = resolve(storeLocation(config).dataDir);
  const holder = await folderHolder(folder);
  if (holder === undefined) return;
  const url = await notedGateway(config.WARREN_DATA_DIR);
  const where = url === undefined ? '' : `, and its gateway is at ${url}`;
  throw new CannotStartError(
    `Warren runs here already: the process with id ${holder} has ${folder}${where}. Stop it first, or give this one another WARREN_DATA_DIR`,
  );
}

/** What else may be wrong with an address is left to who listens on it. */
async function checkPort(setting: string, port: number, host = LOOPBACK): Promise<void> {
  if (port === 0) return;
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return;
    throw new ConfigInvalidError(setting, `port ${port} of ${host} is already in use`);
  }
  server.close();
  await once(server, 'close');
}
