import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import type { Logger } from '@warren/telemetry';
import { SMTPServer } from 'smtp-server';
import type { FailureMode } from './failure-mode.ts';
import { rejectionFor } from './failure-mode.ts';
import type { ReceivedMail } from './mail-store.ts';
import { parseMail } from './parse-mail.ts';
import { createRecipientRules } from './recipient-rules.ts';

/** A real SMTP server on loopback that can be made to fail. */
export interface MailServer {
  /** @returns its port, which it keeps until the process ends */
  start(): Promise<number>;
  /** Resolves once the server behaves so. Changes are made one after the other. */
  setFailure(mode: FailureMode): Promise<void>;
  failure(): FailureMode;
  stop(): Promise<void>;
}

export interface MailServerOptions {
  readonly onMail: (mail: ReceivedMail) => void;
  readonly logger: Logger;
}

const HOST = '127.0.0.1';
const MAX_MAIL_BYTES = 25 * 1024 * 1024;

export function createMailServer(options: MailServerOptions): MailServer {
  let mode: FailureMode = 'none';
  let port = 0;
  let listener: Listener | undefined;
  let lastChange: Promise<void> = Promise.resolve();

  const open = async (): Promise<void> => {
    listener ??= await listen(port, { ...options, failure: () => mode });
    port = listener.port;
  };
  const close = async (): Promise<void> => {
    await listener?.close();
    listener = undefined;
  };
  const inTurn = (change: () => Promise<void>): Promise<void> => {
    const done = lastChange.then(change);
    lastChange = done.catch(() => undefined);
    return done;
  };
  return {
    start: async () => {
      await inTurn(open);
      return port;
    },
    setFailure: (next) =>
      inTurn(async () => {
        await (next === 'offline' ? close() : open());
        mode = next;
      }),
    failure: () => mode,
    stop: () => inTurn(close),
  };
}

interface Listener {
  readonly port: number;
  /** Refuses new connections and cuts the open ones. */
  close(): Promise<void>;
}

type ListenOptions = MailServerOptions & { readonly failure: () => FailureMode };

async function listen(port: number, options: ListenOptions): Promise<Listener> {
  const smtp = createSmtpServer(options);
  // Before listening: it repeats the listener's own errors, which would end the process unheard.
  smtp.on('error', (error) => options.logger.debug({ err: error }, 'mailbox: SMTP connection'));
  const sockets = new Set<Socket>();
  const server = smtp.listen(port, HOST);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        smtp.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function createSmtpServer({ onMail, logger, failure }: ListenOptions): SMTPServer {
  const rules = createRecipientRules();
  return new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MAX_MAIL_BYTES,
    onRcptTo: ({ address }, _session, done) =>
      done(rejectionFor(failure()) ?? rules.reject(address)),
    onData: (stream, { envelope }, done) => {
      const recipients = envelope.rcptTo.map(({ address }) => address);
      parseMail(stream, recipients).then(
        (mail) => {
          onMail(mail);
          done();
        },
        (error: unknown) => {
          logger.warn({ err: error }, 'mailbox: a mail could not be read');
          done(error as Error);
        },
      );
    },
  });
}
