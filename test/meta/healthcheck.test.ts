import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const SCRIPT = join(import.meta.dirname, '../../scripts/healthcheck.mjs');

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

async function serve(answer: RequestListener, host: string): Promise<string> {
  server = createServer(answer).listen(0, host);
  await once(server, 'listening');
  return String((server.address() as AddressInfo).port);
}

const check = (env: Readonly<Record<string, string>>): Promise<{ code: number; said: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT], { env }, (error, stdout) => {
      resolve({ code: error ? Number(error.code) : 0, said: stdout.trim() });
    });
  });

const healthy: RequestListener = (request, response) => {
  response.writeHead(request.url === '/healthz' ? 200 : 404).end('fine');
};

describe('the health check of a container', () => {
  it.each(['', '0.0.0.0', '127.0.0.1'])(
    'asks the probe of a service with OPS_HOST=%s',
    async (host) => {
      const port = await serve(healthy, host || '127.0.0.1');
      expect(await check({ OPS_PORT: port, OPS_HOST: host })).toEqual({
        code: 0,
        said: '200 fine',
      });
    },
  );

  it('fails for a service that says that it is not worth keeping', async () => {
    const port = await serve(
      (_request, response) => response.writeHead(503).end('stuck'),
      '127.0.0.1',
    );
    expect(await check({ OPS_PORT: port })).toEqual({ code: 1, said: '503 stuck' });
  });

  it('fails for a service that does not answer in time', async () => {
    const port = await serve(() => undefined, '127.0.0.1');
    const { code, said } = await check({ OPS_PORT: port });
    expect(code).toBe(1);
    expect(said).toMatch(/timeout/);
  });

  it('fails where nobody listens, and where no port is set', async () => {
    expect(await check({ OPS_PORT: '1' })).toMatchObject({ code: 1 });
    expect(await check({})).toEqual({ code: 1, said: 'OPS_PORT is not set' });
  });
});
