import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a broker on which all sorts of things can happen. */
export interface FaultyProxy {
  /** The broker's URL, by this way. */
  readonly url: string;
  /** Ends all connections; new ones are let through. */
  cut(): void;
  /** From now on everything takes so much longer, in both directions. 0 heals. */
  delay(byMs: number): void;
  /** Connections that are open now stay so, but nothing comes through any more, for good; new ones work. */
  swallow(): void;
  stop(): void;
}

/** One connection through the proxy. */
interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  isSwallowing: boolean;
}

/** Opens a way to the broker at `target`. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const to = new URL(target);
  const pairs = new Set<Pair>();
  let delayMs = 0;
  const pass = (pair: Pair, from: Socket, into: Socket) =>
    from.on('data', (data) => {
      if (pair.isSwallowing) return;
      // Timers of the same length fire in the order in which they were set; a shorter one must not overtake.
      const send = () => void (into.destroyed || pair.isSwallowing || into.write(data));
      if (delayMs === 0 && queued(from) === 0) send();
      else later(from, delayMs, send);
    });
  const listener = createServer((client) => {
    const server = connect(Number(to.port), to.hostname);
    const pair: Pair = { client, server, isSwallowing: false };
    pairs.add(pair);
    pass(pair, client, server);
    pass(pair, server, client);
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => close(pair));
    }
  });
  const close = (pair: Pair) => {
    // Half-open: the other end is not told.
    if (pair.isSwallowing && !(pair.client.destroyed && pair.server.destroyed)) return;
    pairs.delete(pair);
    pair.client.destroy();
    pair.server.destroy();
  };
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const cut = () => {
    for (const { client, server } of pairs) {
      client.destroy();
      server.destroy();
    }
    pairs.clear();
  };
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((listener.address() as AddressInfo).port);
  return {
    url: url.href,
    cut,
    delay: (byMs) => {
      delayMs = byMs;
    },
    swallow: () => {
      for (const pair of pairs) pair.isSwallowing = true;
    },
    stop: () => {
      listener.close();
      cut();
    },
  };
}

/** What waits to be passed on, and until when the last of it does. */
const waiting = new WeakMap<Socket, { count: number; lastAtMs: number }>();

const queued = (socket: Socket): number => waiting.get(socket)?.count ?? 0;

function later(socket: Socket, delayMs: number, send: () => void): void {
  const line = waiting.get(socket) ?? { count: 0, lastAtMs: 0 };
  waiting.set(socket, line);
  const nowMs = performance.now();
  line.lastAtMs = Math.max(line.lastAtMs, nowMs + delayMs);
  line.count += 1;
  setTimeout(() => {
    line.count -= 1;
    send();
  }, line.lastAtMs - nowMs);
}
