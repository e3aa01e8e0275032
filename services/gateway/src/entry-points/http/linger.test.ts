import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { endAfterLingering, lingerThen } from './linger.ts';

const BODY_BYTES = 20_000_000;

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A client of `server` that has sent the head of a request and reads nothing yet. */
async function clientOf(started: Server) {
  server = started;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1' }).pause();
  client.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`);
  return client;
}

describe('a client that is refused while it sends', () => {
  it('gets the answer where it reads only after it has sent everything', async () => {
    const refusing = createServer((request, response) => {
      endAfterLingering(request, response, Buffer.from('refused'));
    });
    const client = await clientOf(refusing);
    await new Promise((sent) => client.write(Buffer.alloc(BODY_BYTES), sent));
    expect(await text(client)).toMatch(/refused$/);
  });

  it('gets it where more is sent than is read', async () => {
    let enough: Promise<unknown> = Promise.resolve();
    const hangUp = vi.fn();
    const refusing = createServer((request, response) => {
      response.writeHead(413, { 'content-length': 7 }).write('refused');
      lingerThen(request, hangUp, 1000);
      enough = once(request, 'pause');
    });
    const client = await clientOf(refusing);
    client.write(Buffer.alloc(BODY_BYTES));
    await once(refusing, 'request');
    await enough;
    const [answer] = await once(client.resume(), 'data');
    expect(String(answer)).toMatch(/refused$/);
    expect(hangUp).not.toHaveBeenCalled();
    client.destroy();
  });

  it('is hung up on once it pauses', async () => {
    const refusing = createServer((request, response) => {
      endAfterLingering(request, response, Buffer.from('refused'));
    });
    const client = await clientOf(refusing);
    client.write('a part');
    expect(await text(client)).toMatch(/refused$/);
  });
});
