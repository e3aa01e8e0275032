import { type AgentOptions, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';

export interface KeptConnectionsOptions {
  /** Idle connections to all hosts together, for each of http and https. */
  readonly maxIdle: number;
  /** How long a connection is kept without use; shorter where the server says so. */
  readonly idleMs: number;
}

/** Connections that are kept for the next request to the same host, a bounded number of them. */
export class KeptConnections {
  readonly #http: HttpAgent;
  readonly #https: HttpsAgent;

  constructor({ maxIdle, idleMs }: KeptConnectionsOptions) {
    const options: AgentOptions = { keepAlive: true, timeout: idleMs };
    this.#http = new HttpAgent(options);
    this.#https = new HttpsAgent(options);
    for (const agent of [this.#http, this.#https]) boundIdle(agent, maxIdle);
  }

  /** For the requests to a URL. */
  agentFor({ protocol }: URL): HttpAgent {
    return protocol === 'https:' ? this.#https : this.#http;
  }

  /** Idle connections at present. */
  get idle(): number {
    return idleOf(this.#http).length + idleOf(this.#https).length;
  }

  /** Ends those that are idle, and those in use with their requests. */
  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}

/** An agent bounds idle connections for each host only, and the number of hosts has no bound. */
function boundIdle(agent: HttpAgent, maxIdle: number): void {
  agent.on('free', (socket: Socket) => {
    const idle = idleOf(agent);
    if (idle.length > maxIdle && idle.includes(socket)) socket.destroy();
  });
}

function idleOf(agent: HttpAgent): Socket[] {
  return Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? []);
}
