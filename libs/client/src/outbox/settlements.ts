import { Bell } from './bell.ts';
import type { OutboxPort } from './outbox-port.ts';
import { failurePauseMs } from './relay-pauses.ts';

/** What a row is put back with. */
interface PutBack {
  readonly id: string;
  readonly delayMs: number;
  readonly problem: string;
}

/** What is told of settlements. */
export interface SettlementEvents {
  /** These rows are out of hand. */
  onSettled(ids: readonly string[]): void;
  /** The database failed. */
  onProblem(error: unknown): void;
}

/** Answers come in bursts: those of so long go into one statement, unless there is a batch of them before. */
const GATHER_MS = 50;
const MAX_BATCH = 500;
/** While the database is away; what is forgotten beyond them is published once more. */
const MAX_FORGOTTEN = 100_000;

/** Writes what became of messages, many in one statement. */
export class Settlements {
  readonly #outbox: OutboxPort;
  readonly #events: SettlementEvents;
  readonly #batch: number;
  readonly #bell = new Bell();
  #done: string[] = [];
  #putBacks: PutBack[] = [];
  #writing: Promise<void> | undefined;
  #isHurried = false;
  #failures = 0;
  #isGathering = false;

  /** @param maxInHand of the relay, whose room must not wait for a batch that cannot come */
  constructor(outbox: OutboxPort, maxInHand: number, events: SettlementEvents) {
    this.#outbox = outbox;
    this.#batch = Math.min(MAX_BATCH, Math.ceil(maxInHand / 4));
    this.#events = events;
  }

  done(id: string): void {
    this.#done.push(id);
    this.#write();
  }

  /** As `done`, for a row that is not in hand. */
  forget(id: string): void {
    if (this.#done.length < MAX_FORGOTTEN) this.done(id);
  }

  putBack(id: string, delayMs: number, problem: string): void {
    this.#putBacks.push({ id, delayMs, problem });
    this.#write();
  }

  /** Resolves when all is written; what the database does not take now is left to the end of its lease. */
  async finish(): Promise<void> {
    this.#isHurried = true;
    this.#bell.ring();
    // Not behind a removal, which may wait for the history: others are to have these soon.
    await Promise.all([this.#writePutBacks(), this.#writing]);
  }

  get #waiting(): number {
    return this.#done.length + this.#putBacks.length;
  }

  #write(): void {
    if (this.#isGathering && this.#waiting >= this.#batch) this.#bell.ring();
    this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting > 0) {
      if (!this.#isHurried) await this.#gather();
      await this.#writePutBacks();
      this.#failures = (await this.#writeDone()) ? 0 : this.#failures + 1;
      if (this.#failures > 0 && this.#isHurried) break;
    }
    // Before anybody else has a turn: what is said after the last look is written by the next one.
    this.#writing = undefined;
  }

  async #gather(): Promise<void> {
    if (this.#failures > 0) return this.#bell.rungOrOver(failurePauseMs(this.#failures));
    if (this.#waiting >= this.#batch) return;
    this.#isGathering = true;
    await this.#bell.rungOrOver(GATHER_MS);
    this.#isGathering = false;
  }

  /** A message that stays would be sent twice, so that is repeated until it is written. */
  async #writeDone(): Promise<boolean> {
    const ids = this.#done.splice(0, MAX_BATCH);
    if (ids.length === 0) return true;
    try {
      await this.#outbox.done(ids);
      this.#events.onSettled(ids);
      return true;
    } catch (error) {
      this.#done.unshift(...ids);
      this.#events.onProblem(error);
      return false;
    }
  }

  /** One that is not put back comes back by itself, when its lease ends. */
  async #writePutBacks(): Promise<void> {
    const putBacks = this.#putBacks;
    this.#putBacks = [];
    for (const group of grouped(putBacks)) {
      const [{ delayMs, problem }] = group;
      const ids = group.map(({ id }) => id);
      try {
        await this.#outbox.putBack(ids, { delayMs, problem });
      } catch (error) {
        this.#events.onProblem(error);
      }
      this.#events.onSettled(ids);
    }
  }
}

function grouped(putBacks: readonly PutBack[]): [PutBack, ...PutBack[]][] {
  const groups = new Map<string, [PutBack, ...PutBack[]]>();
  for (const one of putBacks) {
    const key = `${one.delayMs} ${one.problem}`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}
