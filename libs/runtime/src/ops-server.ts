import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigInvalidError } from '@warren/contracts';
import type { Metrics } from '@warren/telemetry';
import { createOpsApp, type ProbedServices } from './ops-app.ts';

export interface OpsServerOptions {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Services whose readiness is served, by name. */
  readonly services: ProbedServices;
  readonly metrics: Pick<Metrics, 'expose'>;
  /** False when only a restart can help. Asked beside the services' own `healthy`. */
  readonly healthy?: () => boolean;
}

export interface OpsServer {
  /** @throws ConfigInvalidError naming OPS_PORT or OPS_HOST when the address cannot be opened */
  start(): Promise<{ port: number }>;
  /** Closes open connections too. Safe twice, and before `start`. */
  stop(): Promise<void>;
}

/** Serves `/healthz`, `/readyz`, `/metrics` and `/v1/breakers` on a port of their own. */
export function createOpsServer({ host, port, ...app }: OpsServerOptions): OpsServer {
  const server = createServer(createOpsApp(app));
  return {
    start: async () => ({ port: await listen(server, host, port) }),
    stop: () => close(server),
  };
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(addressError(error, host, port));
    });
    server.listen({ host, port }, () => resolve((server.address() as AddressInfo).port));
  });
}

function addressError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const problem = PROBLEMS[error.code ?? ''];
  if (!problem) return error;
  return new ConfigInvalidError(
    problem.setting,
    `cannot listen on ${host}:${port}: ${problem.text}`,
  );
}

const PROBLEMS: Readonly<Record<string, { setting: string; text: string }>> = {
  EADDRINUSE: { setting: 'OPS_PORT', text: 'the port is in use by another process' },
  EACCES: { setting: 'OPS_PORT', text: 'this process may not open that port' },
  EADDRNOTAVAIL: { setting: 'OPS_HOST', text: 'no address of this machine' },
  ENOTFOUND: { setting: 'OPS_HOST', text: 'no such host' },
  EAI_AGAIN: { setting: 'OPS_HOST', text: 'the host name cannot be resolved' },
};

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // The only error is "not running", which is what was asked for.
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
