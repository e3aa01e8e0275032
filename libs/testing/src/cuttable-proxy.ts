import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that a test can cut, and close for as long as it takes. */
export interface CuttableProxy {
  /** The given URL, by this way. */
  readonly url: string;
  /** Ends all connections; new ones are let through. */
  cut(): void;
  /** Ends all connections, and every new one until it is open again. */
  setOpen(open: boolean): void;
  /** Cuts the connection of the next request that says `text` once it is answered, and keeps the answer. */
  cutAnswerTo(text: string): void;
  stop(): void;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'amqp:': 5672, 'postgres:': 5432 };

/** Opens a way to the server that `target` names. */
export async function startProxy(target: string): Promise<CuttableProxy> {
  const to = new URL(target);
  const sockets = new Set<Socket>();
  let isOpen = true;
  let unanswered: string | undefined;
  const server = createServer((client) => {
    if (!isOpen) return void client.destroy();
    const upstream = connect(Number(to.port || DEFAULT_PORTS[to.protocol]), to.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (request: Buffer) => {
      if (unanswered === undefined || !request.includes(unanswered)) return;
      unanswered = undefined;
      upstream
        .unpipe(client)
        .once('data', () => client.destroy())
        .resume();
    });
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cut,
    setOpen(open) {
      isOpen = open;
      if (!open) cut();
    },
    cutAnswerTo(text) {
      unanswered = text;
    },
    stop() {
      server.close();
      cut();
    },
  };
}
