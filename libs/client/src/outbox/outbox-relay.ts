import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { WarrenError } from '@warren/contracts';
import { rememberNews } from '@warren/telemetry';
import { Bell } from './bell.ts';
import { RelayChannel } from './channel.ts';
import { InHand } from './in-hand.ts';
import { watchOutbox } from './outbox-gauges.ts';
import type { LeasedMessage } from './outbox-port.ts';
import { checkBounds, type OutboxRelayOptions } from './relay-options.ts';
import { failurePauseMs, putBackDelayMs } from './relay-pauses.ts';
import { Settlements } from './settlements.ts';

/** For a channel that is not open yet: whoever woke the relay meanwhile does not do it again. */
const OPEN_AGAIN_MS = 50;
/** For the last statements; what they do not write, the ends of the leases put right. */
const FINISH_MS = 3_000;
/** What is sent to one queue at once; more waits in memory. */
const MAX_UNCONFIRMED = 1_000;
/** What a relay has not got answered when it stops: by then the connection is closed, and with it the channel. */
const LEFT_BEHIND_MS = 5_000;
/** Above this, what is handed over is left to the next look: what was committed before it must not wait for ever. */
const FULL_FOR_NEW = 0.5;
/** Below this it is worth a statement to take more. */
const ROOM_FOR_MORE = 0.75;

/**
 * Publishes messages that are committed to an outbox, each at least once, and removes them when the broker has confirmed them:
 * what it finds there, and, at once, what it is handed by who has just committed it. Any number of relays may work on one outbox.
 */
export class OutboxRelay {
  readonly #options: OutboxRelayOptions;
  readonly #bounds: ReturnType<typeof checkBounds>;
  readonly #owner = `${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`;
  readonly #bell = new Bell();
  readonly #settlements: Settlements;
  readonly #inHand: InHand;
  readonly #isNews = rememberNews();
  readonly #watchNoMore: () => void;
  #channel: RelayChannel;
  readonly #ending = new Set<Promise<void>>();
  readonly #running: Promise<void>;
  #stopping: Promise<void> | undefined;

  /** Begins at once. @throws ConfigInvalidError naming the option */
  constructor(options: OutboxRelayOptions) {
    this.#options = options;
    this.#bounds = checkBounds(options);
    this.#inHand = new InHand(this.#bounds);
    this.#settlements = new Settlements(options.outbox, this.#bounds.maxInHand, {
      onSettled: (ids) => this.#onSettled(ids),
      onProblem: (error) => this.#onProblem(error),
    });
    this.#channel = this.#openChannel();
    this.#watchNoMore = watchOutbox({ ...options, onProblem: (error) => this.#onProblem(error) });
    this.#running = this.#run();
  }

  /** Looks for new messages now: to be called after a commit, where 100 ms are too long. */
  wake(): void {
    this.#bell.ring();
  }

  /**
   * For how long a row that is committed now is to be leased to this relay, to be handed over then; 0 where it has no room, or
   * could not publish: such a row is committed without a lease, and taken by whoever can.
   */
  get leaseMs(): number {
    const canTake = this.#channel.isOpen && this.#inHand.fullness < FULL_FOR_NEW;
    return canTake && !this.#stopping ? this.#bounds.leaseMs : 0;
  }

  /** Publishes a row that is committed under a lease of `leaseMs`. */
  handOver(row: LeasedMessage): void {
    if (this.#inHand.add(row)) void this.#send(row);
  }

  /** The broker got it on another way, or nobody wants it any more: no relay is to publish it. */
  forget(id: string): void {
    this.#settlements.forget(id);
  }

  /**
   * Takes no more, waits for what is in hand (each has its deadline), and ends its channel. Bounded. Before its client is closed.
   * @param graceMs waits no longer than this, and not at all for a broker that is away: others may publish the rest some seconds
   * later, so the client must be closed meanwhile
   */
  stop(graceMs?: number): Promise<void> {
    this.#stopping ??= this.#stop(graceMs);
    return this.#stopping;
  }

  async #stop(graceMs: number | undefined): Promise<void> {
    this.#bell.ring();
    const finishMs = graceMs === undefined ? FINISH_MS : Math.min(FINISH_MS, graceMs / 4);
    if (!(await bounded(this.#waitMs(graceMs, finishMs), this.#drain()))) this.#leaveBehind();
    await bounded(finishMs, this.#settlements.finish());
    this.#watchNoMore();
  }

  #waitMs(graceMs: number | undefined, finishMs: number): number {
    if (graceMs === undefined) return this.#bounds.publishTimeoutMs + finishMs;
    return this.#channel.isOpen ? graceMs - finishMs : 0;
  }

  #leaveBehind(): void {
    for (const id of this.#inHand.ids()) {
      this.#settlements.putBack(id, LEFT_BEHIND_MS, 'its relay stopped');
    }
  }

  async #drain(): Promise<void> {
    await this.#running;
    await this.#channel.end();
    await Promise.all(this.#ending);
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#stopping) {
      const { pollMs } = this.#bounds;
      let restMs = this.#channel.isOpen ? pollMs : Math.min(pollMs, OPEN_AGAIN_MS);
      try {
        if (await this.#take()) restMs = 0;
        failures = 0;
      } catch (error) {
        failures += 1;
        this.#onProblem(error);
        restMs = failurePauseMs(failures);
      }
      if (restMs > 0 && !this.#stopping) await this.#bell.rungOrOver(restMs);
    }
  }

  /** True when there may be more to take. */
  async #take(): Promise<boolean> {
    // A few at a time would take a statement each.
    if (this.#inHand.fullness > ROOM_FOR_MORE || !this.#channel.isOpen) return false;
    const { limit, maxBytes } = this.#inHand.room;
    const { leaseMs } = this.#bounds;
    const rows = await this.#options.outbox.lease({ owner: this.#owner, limit, maxBytes, leaseMs });
    this.#isNews('database', '');
    for (const row of rows) this.handOver(row);
    return rows.length === limit;
  }

  async #send(row: LeasedMessage): Promise<void> {
    const channel = this.#channel;
    try {
      await channel.publish(row);
      this.#settlements.done(row.id);
      this.#isNews('publish', '');
    } catch (error) {
      this.#onFailed(channel, row, error);
    }
  }

  #onFailed(channel: RelayChannel, row: LeasedMessage, error: unknown): void {
    const problem = problemOf(error);
    if (this.#isNews('publish', codeOf(error))) {
      const { id, leases } = row;
      const log = { problem, row: id, leases, routingKey: row.routingKey };
      this.#options.logger.warn(
        log,
        'a message of the outbox could not be published; trying again',
      );
    }
    if (codeOf(error) !== 'PUBLISH_TIMEOUT') {
      this.#settlements.putBack(row.id, putBackDelayMs(error, row.leases ?? 1), problem);
      return;
    }
    channel.unknown.push(row);
    if (!channel.isEnding) this.#replace(channel, error);
  }

  /** Others go on over a new channel; those of which nothing is known wait until theirs is closed. */
  #replace(channel: RelayChannel, error: unknown): void {
    if (this.#channel === channel && !this.#stopping) this.#channel = this.#openChannel();
    const ending = this.#endAndRepeat(channel, error).finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  async #endAndRepeat(channel: RelayChannel, error: unknown): Promise<void> {
    const { leaseMs } = this.#bounds;
    const keeping = setInterval(() => void this.#keep(channel.unknown), leaseMs / 3);
    try {
      await channel.end();
    } finally {
      clearInterval(keeping);
    }
    for (const row of channel.unknown) {
      this.#settlements.putBack(row.id, putBackDelayMs(error, row.leases ?? 1), problemOf(error));
    }
  }

  /** Nobody else is to send these either. */
  async #keep(rows: readonly LeasedMessage[]): Promise<void> {
    const ids = rows.map(({ id }) => id);
    const problem = 'sent, not answered; waiting for its channel to close';
    try {
      await this.#options.outbox.putBack(ids, { delayMs: this.#bounds.leaseMs, problem });
    } catch (error) {
      this.#onProblem(error);
    }
  }

  #openChannel(): RelayChannel {
    const { publishTimeoutMs: timeoutMs, maxInHand } = this.#bounds;
    const maxUnconfirmed = Math.min(maxInHand, MAX_UNCONFIRMED);
    return new RelayChannel(
      this.#options.jobs.openOutlet({ timeoutMs, maxUnconfirmed, maxWaitMs: 0 }),
    );
  }

  #onSettled(ids: readonly string[]): void {
    const { fullness } = this.#inHand;
    this.#inHand.remove(ids);
    // Rows may have been left for want of room; where there was enough, the next look is early enough.
    if (fullness >= FULL_FOR_NEW && this.#inHand.fullness <= ROOM_FOR_MORE) this.#bell.ring();
  }

  #onProblem(error: unknown): void {
    const problem = problemOf(error);
    if (this.#isNews('database', problem)) {
      this.#options.logger.error({ problem }, 'the outbox cannot be read or written; trying again');
    }
  }
}

function codeOf(error: unknown): string {
  return error instanceof WarrenError ? error.code : problemOf(error);
}

function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Resolves with the promise or when the time is over, whichever comes first: true for the promise. */
async function bounded(timeoutMs: number, promise: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  return Promise.race([promise.then(() => true), over]).finally(() => clearTimeout(timer));
}
