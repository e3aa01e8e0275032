import { type Channel, type ChannelModel, IllegalOperationError } from 'amqplib';
import type { SupervisedConnection } from './connection.ts';
import { retryPauseMs } from './connection.ts';

/** How a supervised channel is opened and what its owner is told. */
export interface ChannelPlan<C extends Channel> {
  create(connection: ChannelModel): Promise<C>;
  /** Makes a fresh channel ready, before `onOpen`; a rejection closes it, and all is repeated after a pause. */
  prepare?(channel: C): Promise<void>;
  onOpen(channel: C): void;
  /** The channel is gone. `error` is set when the broker closed this channel alone, saying why. */
  onClose(error: ChannelError | undefined): void;
  /** Opening failed while the connection stands; it is repeated. */
  onOpenFailed?(error: unknown): void;
}

/** The broker's reason for closing a channel: an AMQP reply code such as 404 or 406, and its text. */
export interface ChannelError extends Error {
  readonly code: number;
}

/**
 * Keeps one channel open on a supervised connection: after a reconnect, and after the broker closed the channel alone
 * (a missing exchange does that). Each raw channel is handed out once; nothing is ever done on an old one's successor.
 */
export class ChannelSupervisor<C extends Channel> {
  readonly #connection: SupervisedConnection;
  readonly #plan: ChannelPlan<C>;
  #current: C | undefined;
  #stopListening: (() => void) | undefined;
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;
  #opening = false;
  #stopped = true;

  constructor(connection: SupervisedConnection, plan: ChannelPlan<C>) {
    this.#connection = connection;
    this.#plan = plan;
  }

  get current(): C | undefined {
    return this.#current;
  }

  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#stopListening = this.#connection.onUp((connection) => void this.#open(connection));
  }

  /** Opens no more channels. The current one stays as it is, for its owner to close. */
  stop(): void {
    this.#stopped = true;
    this.#stopListening?.();
    clearTimeout(this.#retry);
  }

  /** Gives the current channel up: its owner is told at once, and another one is opened. */
  abandon(): void {
    const channel = this.#current;
    if (!channel) return;
    this.#lost(channel, undefined);
    channel.close().catch(() => {});
  }

  async #open(connection: ChannelModel): Promise<void> {
    if (this.#stopped || this.#current || this.#opening || this.#isStale(connection)) return;
    clearTimeout(this.#retry);
    this.#opening = true;
    try {
      await this.#openOn(connection);
    } catch (error) {
      this.#plan.onOpenFailed?.(error);
      this.#reopenLater();
    } finally {
      this.#opening = false;
    }
    // The connection may have been replaced meanwhile; its own call then found this one busy.
    const newer = this.#connection.current;
    if (newer && newer !== connection) void this.#open(newer);
  }

  async #openOn(connection: ChannelModel): Promise<void> {
    const channel = await this.#create(connection);
    const fate: { closed: boolean; reason: ChannelError | undefined } = {
      closed: false,
      reason: undefined,
    };
    channel.on('error', (error) => {
      fate.reason = error as ChannelError;
    });
    channel.on('close', () => {
      fate.closed = true;
      this.#lost(channel, fate.reason);
    });
    try {
      await this.#plan.prepare?.(channel);
    } catch (error) {
      if (!fate.closed) channel.close().catch(() => {});
      throw error;
    }
    if (fate.closed) throw fate.reason ?? new Error('the channel closed while it was made ready');
    if (this.#stopped || this.#isStale(connection)) {
      channel.close().catch(() => {});
      return;
    }
    this.#failures = 0;
    this.#current = channel;
    this.#plan.onOpen(channel);
  }

  async #create(connection: ChannelModel): Promise<C> {
    try {
      return await this.#plan.create(connection);
    } catch (error) {
      if (error instanceof IllegalOperationError) this.#connection.discard(connection);
      throw error;
    }
  }

  #isStale(connection: ChannelModel): boolean {
    return this.#connection.current !== connection;
  }

  #lost(channel: C, reason: ChannelError | undefined): void {
    if (this.#current !== channel) return;
    this.#current = undefined;
    this.#plan.onClose(reason);
    this.#reopenLater();
  }

  #reopenLater(): void {
    if (this.#stopped) return;
    const connection = this.#connection.current;
    if (!connection) return;
    this.#failures += 1;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(
      () => void this.#open(connection),
      retryPauseMs(this.#failures, Math.random()),
    );
  }
}
