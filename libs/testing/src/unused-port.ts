import { createServer } from 'node:net';

/** Below the range from which Linux takes the ports of outgoing connections, which could take it meanwhile. */
const LOWEST = 15_000;
const HIGHEST = 32_000;

/** A port of 127.0.0.1 at which nobody listens, for a server to come or for one that is gone. */
export async function unusedPort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (await isUnused(port)) return port;
  }
}

function isUnused(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
