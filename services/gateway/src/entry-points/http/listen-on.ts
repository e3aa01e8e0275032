import { once } from 'node:events';
import type { Server } from 'node:http';
import { ConfigInvalidError } from '@warren/contracts';

/**
 * Listens, and says which setting is to blame when that fails.
 * @throws ConfigInvalidError naming PORT or HOST
 */
export async function listenOn(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  try {
    // Rejects with the server's error event.
    await once(server, 'listening');
  } catch (error) {
    throw asConfigError(error, port, host);
  }
}

const NO_SUCH_ADDRESS = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];

function asConfigError(error: unknown, port: number, host: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new ConfigInvalidError('PORT', `port ${port} of ${host} is already in use`);
  }
  if (code === 'EACCES') {
    return new ConfigInvalidError('PORT', `this process may not listen on port ${port}`);
  }
  if (!NO_SUCH_ADDRESS.includes(code)) return error;
  return new ConfigInvalidError('HOST', `${host} is no address of this machine`);
}
