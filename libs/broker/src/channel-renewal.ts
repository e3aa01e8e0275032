/** How long a channel that is given up may take to answer what was sent on it. */
const LAST_ANSWERS_MS = 1_000;

/** A queue that is full refuses on any channel: that must not cost a channel for each publish. */
const EVERY_MS = 1_000;

/**
 * When to give up a channel that refused a publish. RabbitMQ 3.10 looks up a quorum queue's leader once for each channel,
 * at its first publish there: one that asked while that leader's node was lost is refused for good, however sound the
 * queue is by then (measured with a cluster of three). A new channel asks anew.
 */
export class ChannelRenewal {
  #beganMs: number | undefined;
  #endedMs = Number.NEGATIVE_INFINITY;

  /** Is the channel about to be given up? Then nothing more is sent on it. */
  get isUnderWay(): boolean {
    return this.#beganMs !== undefined;
  }

  /** Begins one, unless the last is too recent. True where one is under way now. */
  begin(nowMs: number): boolean {
    if (nowMs - this.#endedMs >= EVERY_MS) this.#beganMs ??= nowMs;
    return this.isUnderWay;
  }

  /** Is it time to give the channel up, with so many publishes still unanswered? */
  isDue(unanswered: number, nowMs: number): boolean {
    if (this.#beganMs === undefined) return false;
    return unanswered === 0 || nowMs - this.#beganMs >= LAST_ANSWERS_MS;
  }

  /** The channel is gone, for whatever reason. */
  end(nowMs: number): void {
    if (this.isUnderWay) this.#endedMs = nowMs;
    this.#beganMs = undefined;
  }
}
