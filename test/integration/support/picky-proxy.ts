import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to the broker that looks at who comes: connections say their names as they begin. */
export interface PickyProxy {
  /** As the broker's, with the port of the proxy. */
  readonly url: string;
  /** Connections that were refused. */
  readonly refused: number;
  /** Connections whose names hold this that were let through. */
  let(name: string): number;
  /** Cuts all connections. */
  cut(): void;
  /** Cuts every new connection whose name holds this; undefined: none. */
  refuse(name: string | undefined): void;
  stop(): void;
}

/** Starts a proxy in front of the broker; it lets everybody through. */
export async function startPickyProxy(target: URL): Promise<PickyProxy> {
  const sockets = new Set<Socket>();
  const greetings: string[] = [];
  let unwanted: string | undefined;
  let refused = 0;
  const server = createServer((client) => {
    const broker = connect(Number(target.port || 5672), target.hostname);
    for (const socket of [client, broker]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => [client, broker].map((one) => one.destroy()));
    }
    let said = '';
    client.on('data', (data) => {
      const wasNamed = said.includes('connection_name');
      said += wasNamed ? '' : data.toString('latin1');
      if (!wasNamed && said.includes('connection_name')) {
        if (unwanted !== undefined && said.includes(unwanted)) {
          refused += 1;
          client.destroy();
          return;
        }
        greetings.push(said);
      }
      broker.write(data);
    });
    broker.pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    url: url.href,
    get refused() {
      return refused;
    },
    let: (name) => greetings.filter((greeting) => greeting.includes(name)).length,
    cut,
    refuse(name) {
      unwanted = name;
    },
    stop() {
      server.close();
      cut();
    },
  };
}
