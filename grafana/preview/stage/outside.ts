import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { PDFDocument } from 'pdf-lib';

/** What the services ask on the way: documents, webhook endpoints and a payment provider, some of which fail. */
export interface Outside {
  readonly url: string;
  /** The same under another address: another host to the webhook service. */
  readonly otherUrl: string;
  /** While true, no payment is taken. */
  paymentsFail: boolean;
  close(): void;
}

const SLOW_MS = 2_500;
const PAGES = 3;

export async function openOutside(): Promise<Outside> {
  const pdf = await somePdf();
  const outside = { url: '', otherUrl: '', paymentsFail: false, close: () => {} };
  const listener: RequestListener = (request, response) => {
    request.resume();
    void answerTo(request, pdf, outside.paymentsFail).then(({ status, type, body }) => {
      response.writeHead(status, type ? { 'content-type': type } : {}).end(body);
    });
  };
  const first = await listen(listener, '127.0.0.1', 0);
  const { port } = first.address() as AddressInfo;
  const second = await listen(listener, '127.0.0.2', port);
  return Object.assign(outside, {
    url: `http://127.0.0.1:${port}`,
    otherUrl: `http://127.0.0.2:${port}`,
    close: () => {
      for (const server of [first, second]) {
        server.closeAllConnections();
        server.close();
      }
    },
  });
}

async function listen(listener: RequestListener, host: string, port: number): Promise<Server> {
  const server = createServer(listener).listen(port, host);
  await once(server, 'listening');
  return server;
}

interface Answer {
  readonly status: number;
  readonly type?: string;
  readonly body?: Buffer | string;
}

async function answerTo(
  { url = '', headers }: IncomingMessage,
  pdf: Buffer,
  paymentsFail: boolean,
): Promise<Answer> {
  if (url.startsWith('/document-')) return { status: 200, type: 'application/pdf', body: pdf };
  if (url === '/hook/slow') await pause(SLOW_MS);
  if (url === '/hook/broken') return { status: 500 };
  if (url.startsWith('/hook/')) return { status: 204 };
  if (url !== '/charges') return { status: 404 };
  if (paymentsFail) return { status: 500 };
  return { status: 201, body: JSON.stringify({ id: `ch_${headers['idempotency-key']}` }) };
}

async function somePdf(): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (let page = 0; page < PAGES; page += 1) document.addPage().drawText(`Page ${page + 1}`);
  return Buffer.from(await document.save());
}
