import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the range from which Linux takes ports for outgoing connections (32768 up): there, a client that
 * keeps reconnecting to a stopped node could be given the node's own port and hold it.
 */
const LOWEST_PORT = 15_000;
const HIGHEST_PORT = 32_000;
const TRIES = 200;

const LAST_PORT = 65_535;

/** Whether `port` can be listened on at 127.0.0.1 right now; a number that is no port cannot. */
export async function isPortFree(port: number): Promise<boolean> {
  if (port > LAST_PORT) return false;
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)));
  });
}

/** `count` different ports that are free at 127.0.0.1. Throws when none are found. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  for (let tries = 0; found.size < count && tries < TRIES; tries += 1) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT);
    if (await isPortFree(port)) found.add(port);
  }
  if (found.size < count) throw new Error(`no ${count} free ports at 127.0.0.1`);
  return [...found];
}
