import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigInvalidError } from '@warren/contracts';
import type { Logger } from '@warren/telemetry';
import { createMailServer } from './mail-server.ts';
import { createMailStore } from './mail-store.ts';
import { createMailboxApp } from './mailbox-app.ts';

/** The development mailbox: a mail server whose mails are read on a page. Loopback only, nothing leaves the machine. */
export interface Mailbox {
  /** @throws ConfigInvalidError naming MAILBOX_PORT */
  start(): Promise<MailboxAddresses>;
  /** Safe before and without a start. */
  stop(): Promise<void>;
}

export interface MailboxAddresses {
  /** For SMTP_URL. */
  readonly smtpUrl: string;
  /** The page. */
  readonly url: string;
}

export interface MailboxOptions {
  /** Of the page; 0 for any free one. */
  readonly port: number;
  readonly logger: Logger;
  /** Mails that are kept. Default 500. */
  readonly limit?: number;
}

const HOST = '127.0.0.1';

export function createMailbox({ port, logger, limit = 500 }: MailboxOptions): Mailbox {
  const store = createMailStore(limit);
  const mails = createMailServer({ onMail: (mail) => store.add(mail), logger });
  const page = createServer(createMailboxApp({ store, server: mails }));
  return {
    start: async () => {
      await listen(page, port);
      const smtpPort = await mails.start();
      const { port: pagePort } = page.address() as AddressInfo;
      return { smtpUrl: `smtp://${HOST}:${smtpPort}`, url: `http://${HOST}:${pagePort}` };
    },
    stop: async () => {
      await Promise.all([mails.stop(), close(page)]);
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, HOST);
  try {
    // Rejects with the server's error event.
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    const problem = code === 'EACCES' ? 'may not be used by this process' : 'is already in use';
    throw new ConfigInvalidError('MAILBOX_PORT', `port ${port} of ${HOST} ${problem}`);
  }
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
