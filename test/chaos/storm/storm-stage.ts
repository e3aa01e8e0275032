import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AmqpAdmin, type Installation, install } from '@warren/testing';
import { stormJob } from '../fixtures/storm-job.ts';
import { Crew } from './crew.ts';
import { type Parked, takeParked } from './parked-jobs.ts';
import { StormLedger } from './storm-ledger.ts';
import { StormPublishers } from './storm-publishers.ts';
import { HEARTBEAT_SECONDS, Troubles } from './troubles.ts';

/** Where publishers and workers of a storm find the broker. */
export interface StormWays {
  /** Not through any proxy. */
  readonly admin: string;
  readonly publish: readonly string[];
  readonly work: readonly string[];
}

/** What a storm begins with. */
export interface StormOptions {
  /** Worker processes beside the one that is left alone. */
  readonly workers: number;
  /** Decides on the jobs. */
  readonly random: () => number;
  /** How long a handler may take. */
  readonly maxWorkMs: number;
}

const CONCURRENCY = 5;
const PREFETCH = 20;
const GRACE_MS = 3_000;
const LOOK_EVERY_MS = 250;
/** A duplicate may still be in hand, or told of. */
const QUIET_MS = 3_000;

/** A client, worker processes, and the account of what passed between them. */
export class StormStage {
  readonly ledger = new StormLedger();
  readonly troubles = new Troubles();
  readonly publishers: StormPublishers;
  readonly crew: Crew;
  readonly installation: Installation;
  /** Where the logs of its processes are. */
  readonly logs: string;
  readonly #ways: StormWays;
  readonly #watch: NodeJS.Timeout;
  #linesRead = 0;

  private constructor(
    installation: Installation,
    jobs: Awaited<ReturnType<Installation['connect']>>,
    options: StormOptions & { ways: StormWays; logs: string },
  ) {
    this.installation = installation;
    this.logs = options.logs;
    this.#ways = options.ways;
    this.publishers = new StormPublishers(jobs, this.ledger, options);
    const worker = {
      urls: options.ways.work,
      namespace: installation.namespace,
      concurrency: CONCURRENCY,
      prefetch: PREFETCH,
      graceMs: GRACE_MS,
      heartbeatSeconds: HEARTBEAT_SECONDS,
    };
    this.crew = new Crew(worker, this);
    this.#watch = setInterval(() => this.#readLines(), LOOK_EVERY_MS).unref();
  }

  /** Resolves when all is up. */
  static async open(ways: StormWays, options: StormOptions): Promise<StormStage> {
    const installation = await install([stormJob], { url: ways.admin });
    const logs = await mkdtemp(join(tmpdir(), 'warren-storm-'));
    const connection = { urls: [...ways.publish], heartbeatSeconds: HEARTBEAT_SECONDS };
    const jobs = await installation.connect({ connection });
    const stage = new StormStage(installation, jobs, { ...options, ways, logs });
    await stage.crew.start(options.workers);
    return stage;
  }

  /** Access to the broker, for one thing. */
  async asAdmin<T>(action: (admin: AmqpAdmin) => Promise<T>): Promise<T> {
    const admin = await AmqpAdmin.connect(this.#ways.admin);
    try {
      return await action(admin);
    } finally {
      await admin.close();
    }
  }

  /** Messages that are ready in queues that lead to a handler. */
  async waiting(): Promise<number> {
    const queues = this.installation.topology.queues.filter(({ role }) =>
      ['work', 'suspect', 'retry'].includes(role),
    );
    return this.asAdmin(async (admin) => {
      let sum = 0;
      for (const { name } of queues) sum += (await admin.depth(name)) ?? 0;
      return sum;
    });
  }

  /**
   * Resolves with true when all accepted jobs are done and nothing waits, or nothing has happened for long and nothing waits:
   * what is missing then is parked, or gone. Resolves with false when something waits although nothing happens.
   */
  async settle(withoutProgressMs: number): Promise<boolean> {
    for (;;) {
      const since = this.ledger.progressAtMs;
      await pause(QUIET_MS);
      const isQuiet = since === this.ledger.progressAtMs;
      if (isQuiet && this.ledger.missing === 0 && (await this.waiting().catch(() => 1)) === 0) {
        return true;
      }
      if (Date.now() - this.ledger.progressAtMs > withoutProgressMs) {
        return (await this.waiting()) === 0;
      }
    }
  }

  /** Ends the workers, and takes out what is left in the queues. */
  async takeParked(): Promise<Parked> {
    await this.crew.stop('SIGTERM');
    this.#readLines();
    return takeParked(this.#ways.admin, this.installation.topology);
  }

  async close(): Promise<void> {
    clearInterval(this.#watch);
    await this.crew.stop('SIGKILL');
    await this.installation.dispose();
  }

  #readLines(): void {
    const { lines } = this.installation;
    for (; this.#linesRead < lines.length; this.#linesRead += 1) {
      const { msg, time } = lines[this.#linesRead] ?? {};
      if (!String(msg).startsWith('lost the connection')) continue;
      this.troubles.ofPublisher(Date.parse(String(time)));
    }
  }
}
