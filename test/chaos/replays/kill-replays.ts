import { newJobId } from '@warren/contracts';
import type { LetterRunRecord, Store } from '@warren/store';
import { anyJob, eventually, type Installation, install, takeIds } from '@warren/testing';
import { Replayer } from './replayer.ts';

const job = anyJob('probe.replayed');
/** Of each hundred dead letters so many are not meant. */
const NOT_MEANT = 20;
/** Come in while it is under way, and fit. */
const LATE = 5;
/** A process starts, and does its part, within that on a busy machine. */
const WITHIN_MS = 120_000;

/** How much of it. */
export interface KillOptions {
  readonly letters: number;
  readonly kills: number;
  readonly window: number;
  readonly ratePerSecond: number;
  readonly url?: string;
  readonly databaseUrl: string;
  /** On the same database, in schemas of `namespace`. */
  openStore(namespace: string): Promise<Store>;
  readonly random: () => number;
  readonly print?: ((line: string) => void) | undefined;
}

/** What came of it. */
export interface KillReport {
  readonly letters: number;
  readonly kills: number;
  readonly window: number;
  /** Different ones that were replayed. */
  readonly replayed: number;
  /** Neither replayed nor dead. */
  readonly lost: number;
  /** Replayed more than once. */
  readonly repeats: number;
  /** Replayed although they were not meant, or came in later. */
  readonly strangers: number;
  readonly ledger: Pick<LetterRunRecord, 'state' | 'chosen' | 'done' | 'starts'>;
}

/** Replays dead letters while the process that does it is killed at random moments and begun again. */
export async function killReplays(options: KillOptions): Promise<KillReport> {
  const here = await install([job], options.url === undefined ? {} : { url: options.url });
  const store = await options.openStore(here.namespace);
  try {
    return await new Killing(options, here, store).run();
  } finally {
    await store.close();
    await here.dispose();
  }
}

class Killing {
  readonly #options: KillOptions;
  readonly #here: Installation;
  readonly #store: Store;
  readonly #id = newJobId();

  constructor(options: KillOptions, here: Installation, store: Store) {
    this.#options = options;
    this.#here = here;
    this.#store = store;
  }

  async run(): Promise<KillReport> {
    const { letters, kills, random } = this.#options;
    const jobs = await this.#here.connect();
    await eventually('the topology is there', () => jobs.readiness().ready);
    const meant = Array.from({ length: letters }, (_, at) => `meant-${at}`);
    const others = Array.from({ length: (letters * NOT_MEANT) / 100 }, (_, at) => `other-${at}`);
    await this.#bury(mixed(meant, others));
    const queue = this.#deadQueue;
    const selection = { types: ['meant'] };
    const run = { kind: 'replay', queue, actor: 'test', selection, settings: {} } as const;
    await this.#store.letterRuns.begin({ id: this.#id, ...run });
    const moments = Array.from({ length: kills }, () => Math.floor(random() * letters));
    for (const [at, moment] of moments.sort((a, b) => a - b).entries()) {
      await this.#killAt(moment);
      this.#options.print?.(`kill ${at + 1} of ${kills}, ${(await this.#ledger()).done} done`);
    }
    const late = Array.from({ length: LATE }, (_, at) => `meant-late-${at}`);
    await this.#bury(late);
    await this.#replayer().report();
    return this.#account(meant, [...others, ...late]);
  }

  async #killAt(done: number): Promise<void> {
    const replayer = this.#replayer();
    await eventually(
      'it is so far',
      async () => {
        if (replayer.hasEnded) return true;
        return replayer.hasBegun && (await this.#ledger()).done >= done;
      },
      WITHIN_MS,
    );
    if (!(await replayer.kill())) throw new Error('it ended by itself: nothing was killed');
  }

  #replayer(): Replayer {
    const { databaseUrl, window, ratePerSecond } = this.#options;
    return new Replayer({
      AMQP_URL: this.#here.url,
      DATABASE_URL: databaseUrl,
      NAMESPACE: this.#here.namespace,
      JOB: job.type,
      RUN: this.#id,
      WINDOW: String(window),
      RATE: String(ratePerSecond),
    });
  }

  async #account(meant: readonly string[], others: readonly string[]): Promise<KillReport> {
    const { letters, kills, window } = this.#options;
    const { url, topology } = this.#here;
    const seen = await takeIds(url, topology.names.workQueue(job.type));
    const dead = new Set(await takeIds(url, this.#deadQueue));
    const replayed = new Set(seen);
    const { state, chosen, done, starts } = await this.#ledger();
    return {
      letters,
      kills,
      window,
      replayed: replayed.size,
      lost: [...meant, ...others].filter((id) => !replayed.has(id) && !dead.has(id)).length,
      repeats: seen.length - replayed.size,
      strangers: others.filter((id) => replayed.has(id)).length,
      ledger: { state, chosen, done, starts },
    };
  }

  async #ledger(): Promise<LetterRunRecord> {
    const record = await this.#store.letterRuns.find(this.#id);
    if (!record) throw new Error('it is not in the ledger');
    return record;
  }

  get #deadQueue(): string {
    return this.#here.topology.names.deadQueue(job.type);
  }

  async #bury(ids: readonly string[]): Promise<void> {
    const before = (await this.#here.admin.depth(this.#deadQueue)) ?? 0;
    await this.#here.admin.run(async (channel) => {
      for (const messageId of ids) {
        const type = messageId.replace(/-.*/, '');
        channel.sendToQueue(this.#deadQueue, Buffer.from('{}'), {
          messageId,
          type,
          persistent: true,
        });
      }
    });
    await eventually('all are dead', async () => {
      return ((await this.#here.admin.depth(this.#deadQueue)) ?? 0) >= before + ids.length;
    });
  }
}

/** The others spread evenly. */
function mixed(meant: readonly string[], others: readonly string[]): string[] {
  const every = Math.ceil(meant.length / others.length);
  return meant.flatMap((id, at) => {
    const other = at % every === 0 ? others[at / every] : undefined;
    return other === undefined ? [id] : [id, other];
  });
}
