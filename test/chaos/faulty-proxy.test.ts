import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FaultyProxy, startFaultyProxy } from './support/faulty-proxy.ts';

describe('a way with faults', () => {
  let server: Server;
  let proxy: FaultyProxy;
  beforeEach(async () => {
    server = createServer((socket) => socket.on('error', () => {}).pipe(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    proxy = await startFaultyProxy(`amqp://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterEach(() => {
    proxy.stop();
    server.close();
  });

  async function open(): Promise<Socket> {
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    return socket;
  }

  async function echo(socket: Socket, text: string): Promise<string> {
    socket.write(text);
    let heard = '';
    while (heard.length < text.length) {
      const [data] = (await once(socket, 'data')) as [Buffer];
      heard += data.toString();
    }
    return heard;
  }

  it('lets pass, and ends what is open when it is cut', async () => {
    const socket = await open();
    expect(await echo(socket, 'hello')).toBe('hello');
    const closed = once(socket, 'close');
    proxy.cut();
    await closed;
    expect(await echo(await open(), 'again')).toBe('again');
  });

  it('keeps the order when a delay ends before what it held back has passed', async () => {
    const socket = await open();
    proxy.delay(100);
    socket.write('first ');
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toBe('first ');
    const heard = echo(socket, 'second third');
    proxy.delay(0);
    expect(await heard).toBe('second third');
  });

  it('swallows what comes on open connections, and tells neither end; new ones work', async () => {
    const socket = await open();
    await echo(socket, 'hello');
    let heard = '';
    socket.on('data', (data: Buffer) => {
      heard += data.toString();
    });
    proxy.swallow();
    socket.write('lost');
    expect(await echo(await open(), 'again')).toBe('again');
    expect(heard).toBe('');
    expect(socket.destroyed).toBe(false);
    socket.destroy();
  });
});
