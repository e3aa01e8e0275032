import type { PauseReason } from '@warren/telemetry';

/** What is paused: a consumer. */
interface Pausable {
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/** Why a consumer takes nothing: it consumes again when the last reason is gone. */
export class Pauses {
  readonly #consumer: Pausable;
  readonly #onChange: (reason: PauseReason, isPaused: boolean) => void;
  readonly #reasons = new Set<PauseReason>();

  constructor(consumer: Pausable, onChange: (reason: PauseReason, isPaused: boolean) => void) {
    this.#consumer = consumer;
    this.#onChange = onChange;
  }

  get any(): boolean {
    return this.#reasons.size > 0;
  }

  has(reason: PauseReason): boolean {
    return this.#reasons.has(reason);
  }

  /** True when this changed anything. */
  set(reason: PauseReason, isPaused: boolean): boolean {
    if (this.#reasons.has(reason) === isPaused) return false;
    const before = this.any;
    if (isPaused) this.#reasons.add(reason);
    else this.#reasons.delete(reason);
    this.#onChange(reason, isPaused);
    if (this.any !== before) void (isPaused ? this.#consumer.pause() : this.#consumer.resume());
    return true;
  }
}
