import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { NonRetryableError } from '@warren/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SmtpError } from '../domain/smtp-failure.ts';
import { MAIL, type RunningMailbox, runMailbox } from '../fixtures/running-mailbox.ts';
import { createSmtpClient } from './smtp.ts';

let mailbox: RunningMailbox;
beforeEach(async () => {
  mailbox = await runMailbox();
});
afterEach(() => mailbox.stop());

describe('what a mail cannot smuggle in', () => {
  it('headers by line breaks in the subject', async () => {
    await mailbox.send({ subject: 'Hi\r\nBcc: evil@example.org\r\nX-Job-Id: other\r\n\r\nbody' });
    const [mail] = await mailbox.messages();
    expect(mail).toMatchObject({ to: 'a@example.org', jobId: 'job-1', text: 'Hello' });
    expect(mail?.subject).toMatch(/^Hi Bcc: evil@example.org X-Job-Id: other\s+body$/);
  });

  it.each([
    'a@example.org\r\nBcc: evil@example.org',
    'a@example.org>\r\nRCPT TO:<evil@example.org',
    'a@example.org\nDATA',
  ])('recipients or commands by line breaks in the address %j', async (to) => {
    await expect(mailbox.send({ to })).rejects.toThrow(NonRetryableError);
    expect(await mailbox.messages()).toEqual([]);
  });

  it('a second recipient by a comma', async () => {
    const to = 'a@example.org, evil@example.org';
    await expect(mailbox.send({ to })).rejects.toThrow(NonRetryableError);
    expect(await mailbox.messages()).toEqual([]);
  });

  it('commands by dots and line breaks in the text', async () => {
    await mailbox.send({ text: 'a\r\n.\r\nRCPT TO:<evil@example.org>\r\nb' });
    const mails = await mailbox.messages();
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain('RCPT TO:<evil@example.org>');
  });

  it('headers by the name of a file or by where to reply to', async () => {
    const evil = 'a\r\nBcc: evil@example.org\r\n.txt';
    const content = Buffer.from('x');
    const attachments = [{ filename: evil, contentType: 'text/plain', content }];
    await mailbox.send({ attachments, replyTo: 'b@example.org\r\nBcc: evil@example.org' });
    const [mail] = await mailbox.messages();
    expect(mail).toMatchObject({ to: 'a@example.org', jobId: 'job-1', text: 'Hello' });
    expect(mail?.attachments).toHaveLength(1);
  });

  it('files or addresses to be fetched', async () => {
    const text = { path: '/etc/hostname' } as unknown as string;
    await expect(mailbox.send({ text })).rejects.toThrow(/access/i);
  });
});

it('sends files, and where to reply to', async () => {
  await mailbox.send({
    replyTo: 'help@example.org',
    attachments: [
      {
        filename: 'Übersicht.pdf',
        contentType: 'application/pdf',
        content: Buffer.alloc(70_000, 7),
      },
      { filename: 'a.csv', contentType: 'text/csv; charset=utf-8', content: Buffer.from('ä;b') },
    ],
  });
  const [mail] = await mailbox.messages();
  expect(mail).toMatchObject({
    text: 'Hello',
    replyTo: 'help@example.org',
    attachments: [
      { filename: 'Übersicht.pdf', contentType: 'application/pdf', sizeBytes: 70_000 },
      { filename: 'a.csv', contentType: 'text/csv', sizeBytes: 4 },
    ],
  });
});

/** A server that greets nobody, or says what a test tells it to. */
async function silentServer(onSocket: (socket: Socket) => void = () => undefined) {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    onSocket(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `smtp://127.0.0.1:${port}`, stop, server };
}

describe('a mail server that does not answer', () => {
  it('is given up when the signal aborts, with the reason of the signal', async () => {
    const { url, stop, server } = await silentServer();
    const client = createSmtpClient({ url, maxConnections: 1 });
    const aborter = new AbortController();
    const sending = client.deliver(MAIL, aborter.signal);
    const failed = expect(sending).rejects.toThrow('time is up');
    await once(server, 'connection');
    aborter.abort(new Error('time is up'));
    await failed;
    client.close();
    stop();
  });

  it('is not even asked when the signal has aborted before', async () => {
    await expect(mailbox.send({}, AbortSignal.abort(new Error('too late')))).rejects.toThrow(
      'too late',
    );
    expect(await mailbox.messages()).toEqual([]);
  });
});

it('reports a connection that breaks once, and does not send the mail again by itself', async () => {
  let connections = 0;
  const { url, stop } = await silentServer((socket) => {
    connections += 1;
    socket.end();
  });
  const client = createSmtpClient({ url, maxConnections: 1 });
  await expect(client.deliver(MAIL, new AbortController().signal)).rejects.toThrow(SmtpError);
  expect(connections).toBe(1);
  client.close();
  stop();
});
