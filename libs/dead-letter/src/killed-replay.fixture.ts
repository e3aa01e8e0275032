import type { BrokerSession, Consumer, ConsumerOptions, Delivery } from '@warren/broker';
import { delivered } from '@warren/testing';
import type { KeyPart, RunStore } from './ledger/run-store.ts';

/** Where the process that replays is killed: always at the second letter. */
export type KillPoint =
  | 'before the publish'
  | 'after the publish, before its confirm'
  | 'after the confirm, before the ledger has it'
  | 'after the ledger has it, before it answers'
  | 'after the answer of the ledger, before the ack'
  | 'after the ack';

interface Letter {
  readonly id: string;
  redelivered: boolean;
}

const never = new Promise<never>(() => {});

/** A broker with one queue of dead letters, and a ledger, both of which outlive the process that is killed. */
export class KilledReplay {
  readonly dead: Letter[];
  /** Ids, in the order in which the broker took them. */
  readonly published: string[] = [];
  readonly parts: KeyPart[] = [];
  readonly ends: { problem?: string | undefined; report: unknown }[] = [];
  readonly queue: string;
  readonly #killAt: KillPoint;
  #isDone = false;

  constructor(queue: string, ids: readonly string[], killAt: KillPoint) {
    this.queue = queue;
    this.dead = ids.map((id) => ({ id, redelivered: false }));
    this.#killAt = killAt;
  }

  /** A process: what it still does after it was killed has no effect. */
  start(): { readonly session: BrokerSession; readonly store: RunStore } {
    const killed = new AbortController();
    const kill = (point: KillPoint, nth: number) => {
      if (this.#isDone || point !== this.#killAt || nth !== 2) return;
      this.#isDone = true;
      killed.abort(new Error('killed'));
    };
    const isOver = () => killed.signal.aborted;
    return { session: this.#session(killed.signal, kill), store: this.#store(isOver, kill) };
  }

  #session(lost: AbortSignal, kill: (point: KillPoint, nth: number) => void): BrokerSession {
    let acked = 0;
    const delivery = (letter: Letter): Delivery => {
      const { id, redelivered } = letter;
      return Object.assign(delivered({ messageId: id }, { redelivered }), {
        leave: () => {},
        ack: () => {
          kill('after the answer of the ledger, before the ack', acked + 1);
          if (lost.aborted) return false;
          this.dead.splice(this.dead.indexOf(letter), 1);
          acked += 1;
          kill('after the ack', acked);
          return true;
        },
      });
    };
    const session = {
      lost,
      publisher: {
        publish: ({ properties: { messageId } }: { properties: { messageId: string } }) => {
          kill('before the publish', this.published.length + 1);
          if (lost.aborted) return never;
          this.published.push(messageId);
          kill('after the publish, before its confirm', this.published.length);
          return lost.aborted ? never : Promise.resolve({ id: messageId });
        },
      },
      depth: async (queue: string) => (queue === this.queue ? this.dead.length : 0),
      lock: async () => {},
      browse: async (_: string, { onMessage }: { onMessage(message: unknown): boolean }) => {
        for (const letter of this.dead) {
          onMessage(delivery(letter).message);
          letter.redelivered = true;
        }
        return this.dead.length;
      },
      consume: ({ onDelivery }: ConsumerOptions): Pick<Consumer, 'start'> => ({
        start: () => {
          for (const letter of [...this.dead]) {
            onDelivery(delivery(letter));
            letter.redelivered = true;
          }
        },
      }),
      giveBack: async () => {},
    };
    return session as unknown as BrokerSession;
  }

  #store(isOver: () => boolean, kill: (point: KillPoint, nth: number) => void): RunStore {
    let rows = 0;
    const write = (isDone: boolean, keys: Buffer) => {
      this.parts.push({ seq: this.parts.length + 1, isDone, keys: Buffer.from(keys) });
    };
    return {
      fix: async (_, parts) => {
        for (const keys of parts) write(false, keys);
      },
      keys: async (_, { afterSeq }) => this.parts.filter(({ seq }) => seq > afterSeq),
      addDone: async (_, keys) => {
        rows += 1;
        kill('after the confirm, before the ledger has it', rows);
        if (isOver()) return never;
        write(true, keys);
        kill('after the ledger has it, before it answers', rows);
        return isOver() ? never : undefined;
      },
      passCanary: async () => {},
      beat: async () => false,
      tellWaiting: async () => {},
      end: async (_, end) => {
        if (!isOver()) this.ends.push(end);
      },
    };
  }
}
