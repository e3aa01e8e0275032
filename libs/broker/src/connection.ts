import type { Socket } from 'node:net';
import amqpManager, { type AmqpConnectionManager } from 'amqp-connection-manager';
import type { ChannelModel } from 'amqplib';
import { explainConnectFailure } from './connect-failure.ts';
import { explainConnectionLoss } from './connection-loss.ts';
import { type ConnectionSettings, type Endpoint, resolveEndpoints } from './connection-settings.ts';
import { within } from './within.ts';
import { batchWrites } from './write-batches.ts';

/** What happens to a connection, for logs and metrics. `name` is `publish` or `consume`. */
export interface ConnectionEvents {
  /** It is wanted from now on, and not there yet. */
  onOpening?(name: string): void;
  onUp?(name: string, endpoint: string): void;
  onDown?(name: string, reason: string): void;
  /** A connection attempt failed; it is repeated by itself. */
  onConnectFailed?(name: string, reason: string): void;
  onBlocked?(name: string, reason: string): void;
  onUnblocked?(name: string): void;
}

/** Told about every new raw connection; a listener opens its channels on it. */
type UpListener = (connection: ChannelModel) => void;
type Listener = () => void;

const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 5_000;
const CONNECT_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2_000;
/**
 * amqplib waits for the socket when so much is unsent: with Node's 16 KiB, after every sixteenth message of 1 kB. Apart, since its
 * types do not know what it passes on; and not `writableHighWaterMark`, which TLS ignores.
 */
const SOCKET_OPTIONS = { highWaterMark: 64 * 1_024 };

/**
 * One supervised connection: amqp-connection-manager reconnects it, over several hosts in turn, with a growing and
 * jittered pause. Channels are opened by the listeners, on the raw connection: the manager's own channel wrapper would
 * settle on whatever channel is current and buffer without bound.
 */
export class SupervisedConnection {
  readonly name: string;
  readonly #manager: AmqpConnectionManager;
  readonly #events: ConnectionEvents;
  readonly #upListeners = new Set<UpListener>();
  readonly #downListeners = new Set<Listener>();
  readonly #blockedListeners = new Set<Listener>();
  #current: ChannelModel | undefined;
  #serverVersion: string | undefined;
  #blockedReason: string | undefined;
  #failures = 0;
  #problem = 'not connected yet';
  #closed = false;

  constructor(
    name: string,
    settings: ConnectionSettings,
    options: { service: string; events?: ConnectionEvents },
  ) {
    this.name = name;
    this.#events = options.events ?? {};
    this.#events.onOpening?.(name);
    this.#manager = amqpManager.connect(shuffled(resolveEndpoints(settings)), {
      reconnectTimeInSeconds: FIRST_RETRY_MS / 1_000,
      connectionOptions: {
        noDelay: true,
        ...SOCKET_OPTIONS,
        timeout: CONNECT_TIMEOUT_MS,
        ...settings.tls,
        clientProperties: { connection_name: `${options.service} (${name})` },
      },
    });
    this.#manager.on('connect', ({ connection }) =>
      this.#onUp(connection as unknown as ChannelModel),
    );
    this.#manager.on('connectFailed', ({ err, url }) =>
      this.#onConnectFailed(err, url as unknown as Endpoint | undefined),
    );
    this.#manager.on('disconnect', ({ err }) => this.#onDown(err));
    this.#manager.on('blocked', ({ reason }) => this.#setBlocked(reason));
    this.#manager.on('unblocked', () => this.#setBlocked(undefined));
  }

  /** The raw connection, while there is one. */
  get current(): ChannelModel | undefined {
    return this.#current;
  }

  /** Why the broker takes no messages from this connection; undefined when it does. */
  get blockedReason(): string | undefined {
    return this.#blockedReason;
  }

  /** Why there is no connection: a sentence without secrets. */
  get problem(): string {
    return this.#problem;
  }

  /** The broker's version such as `3.10.8`, as of the last connection; undefined before the first. */
  get serverVersion(): string | undefined {
    return this.#serverVersion;
  }

  /** Calls `listener` now if connected, and at every later connection. Returns how to stop that. */
  onUp(listener: UpListener): () => void {
    this.#upListeners.add(listener);
    if (this.#current) listener(this.#current);
    return () => this.#upListeners.delete(listener);
  }

  onDown(listener: Listener): () => void {
    this.#downListeners.add(listener);
    return () => this.#downListeners.delete(listener);
  }

  /**
   * Gives up a connection that turned out to be closed although nobody was told: one that the broker closes together with
   * the end of the handshake is closed before anybody can listen (measured with amqplib 2.3.1).
   */
  discard(connection: ChannelModel): void {
    if (this.#closed || connection !== this.#current) return;
    connection.emit('close', new Error('the broker closed the connection as it was opened'));
    connection.removeAllListeners('close');
  }

  /** Called whenever the connection becomes blocked or unblocked. */
  onBlockedChange(listener: Listener): () => void {
    this.#blockedListeners.add(listener);
    return () => this.#blockedListeners.delete(listener);
  }

  /** Closes for good. Bounded: a broker that does not answer is left after two seconds. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const raw = this.#current;
    await within(CLOSE_TIMEOUT_MS, this.#manager.close()).catch(() => destroySocket(raw));
  }

  #onUp(connection: ChannelModel): void {
    if (this.#closed) return;
    const socket = socketOf(connection);
    if (socket) batchWrites(socket);
    this.#current = connection;
    this.#serverVersion = versionOf(connection);
    this.#failures = 0;
    this.#manager.reconnectTimeInSeconds = FIRST_RETRY_MS / 1_000;
    this.#events.onUp?.(this.name, this.serverVersion ?? 'unknown version');
    for (const listener of this.#upListeners) listener(connection);
  }

  #onDown(error: Error | undefined): void {
    this.#current = undefined;
    this.#problem = explainConnectionLoss(error);
    this.#setBlocked(undefined);
    this.#events.onDown?.(this.name, this.#problem);
    for (const listener of this.#downListeners) listener();
  }

  #onConnectFailed(error: unknown, endpoint: Endpoint | undefined): void {
    this.#failures += 1;
    // The manager reads this right after the event, for its next pause.
    this.#manager.reconnectTimeInSeconds = retryPauseMs(this.#failures, Math.random()) / 1_000;
    this.#problem = explainConnectFailure(error, endpoint);
    this.#events.onConnectFailed?.(this.name, this.#problem);
  }

  #setBlocked(reason: string | undefined): void {
    if (reason === this.#blockedReason) return;
    this.#blockedReason = reason;
    if (reason === undefined) this.#events.onUnblocked?.(this.name);
    else this.#events.onBlocked?.(this.name, reason);
    for (const listener of this.#blockedListeners) listener();
  }
}

/** Doubles from 50 ms to 5 s; the upper half is random, so that many processes do not come back at once. */
export function retryPauseMs(failures: number, random: number): number {
  const pause = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20));
  return pause / 2 + (random * pause) / 2;
}

/** A random order spreads many processes over the hosts of a cluster. */
function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

function versionOf({ connection }: ChannelModel): string | undefined {
  const { serverProperties } = connection as { serverProperties?: { version?: unknown } };
  return typeof serverProperties?.version === 'string' ? serverProperties.version : undefined;
}

function destroySocket(connection: ChannelModel | undefined): void {
  if (connection) socketOf(connection)?.destroy();
}

/** amqplib's types do not know it. */
function socketOf({ connection }: ChannelModel): Socket | undefined {
  return (connection as unknown as { readonly stream?: Socket } | undefined)?.stream;
}
