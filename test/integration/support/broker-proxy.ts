import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to the broker that can be closed and opened. */
export interface BrokerProxy {
  /** As the broker's, with the port of the proxy. */
  readonly url: string;
  /** Cuts all connections, and refuses new ones. */
  close(): void;
  open(): void;
  /** Holds back what the broker says; it still hears all. */
  hold(): void;
  /** Hands over what was held back. */
  release(): void;
  stop(): void;
}

/** Starts a proxy in front of the broker; it is open. */
export async function startBrokerProxy(target: URL): Promise<BrokerProxy> {
  const pairs = new Set<readonly [client: Socket, broker: Socket]>();
  let isOpen = true;
  const server = createServer((client) => {
    if (!isOpen) {
      client.destroy();
      return;
    }
    const broker = connect(Number(target.port || 5672), target.hostname);
    const pair = [client, broker] as const;
    pairs.add(pair);
    for (const socket of pair) {
      socket.on('error', () => {}).on('close', () => end(pair));
    }
    client.pipe(broker).pipe(client);
  });
  const end = (pair: readonly [Socket, Socket]) => {
    pairs.delete(pair);
    for (const socket of pair) socket.destroy();
  };
  const cut = () => {
    isOpen = false;
    for (const pair of pairs) end(pair);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    close: cut,
    open() {
      isOpen = true;
    },
    hold() {
      for (const [, broker] of pairs) broker.unpipe().pause();
    },
    release() {
      for (const [client, broker] of pairs) broker.pipe(client);
    },
    stop() {
      cut();
      server.close();
    },
  };
}
