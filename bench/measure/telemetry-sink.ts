import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Takes whatever is sent to it, as a collector does, and keeps nothing. */
export interface TelemetrySink {
  readonly url: string;
  /** How much came, by the path that it was sent to. */
  readonly bytes: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

export async function startSink(): Promise<TelemetrySink> {
  const bytes = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    request.on('data', (chunk: Buffer) => bytes.set(path, (bytes.get(path) ?? 0) + chunk.length));
    request.on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
