import type { Jobs } from '@warren/client';
import type { PrivateNode } from '@warren/local-broker';
import { AmqpAdmin, eventually, type Installation, install, Ledger } from '@warren/testing';
import { handle } from '@warren/worker';
import { probe } from '../fixtures/probe-job.ts';
import { Attempts } from './attempts.ts';
import { Bell } from './bell.ts';
import { parkedIds } from './parked.ts';
import { publishStubbornly } from './publish-stubbornly.ts';

/** What a run under faults adds up to. */
export interface Account {
  readonly accepted: number;
  readonly handled: number;
  /** Accepted, not handled, and in no queue that an operator looks into. */
  readonly lost: number;
  /** Handler runs beyond the first, over all jobs. */
  readonly duplicated: number;
  readonly attemptsSpentByFaults: number;
  readonly deadLettered: number;
  readonly unroutable: number;
  /** Moves to the suspect queue. */
  readonly suspected: number;
  readonly connectionsLost: number;
  /** Publishes that were refused or not answered, by error code; each was repeated with the same id. */
  readonly refused: Readonly<Record<string, number>>;
}

/** Publishes under way at once: after each fault these may be sent twice. */
export const LANES = 100;
export const CONCURRENCY = 5;
/** Deliveries out at once: after each fault these may be handled twice. */
export const PREFETCH = 20;

/** A client and a worker on one private node, and the account of what passed between them. */
export class Stage {
  readonly #installation: Installation;
  readonly #jobs: Jobs;
  readonly #ledger: Ledger;
  readonly #attempts: Attempts;
  readonly #bell = new Bell();
  readonly #refused: Record<string, number> = {};
  #accepted = 0;

  private constructor(installation: Installation, jobs: Jobs, ledger: Ledger, attempts: Attempts) {
    this.#installation = installation;
    this.#jobs = jobs;
    this.#ledger = ledger;
    this.#attempts = attempts;
  }

  /** Resolves when client and worker are ready, and what they declared would survive a kill of the node. */
  static async open(node: PrivateNode): Promise<Stage> {
    const installation = await install([probe], { url: node.url });
    const ledger = new Ledger();
    const attempts = new Attempts();
    const run = ({ id, attempt }: { id: string; attempt: number }) => {
      attempts.see(id, attempt);
      ledger.handle(id, attempt);
    };
    await installation.work([handle(probe, run, { concurrency: CONCURRENCY, prefetch: PREFETCH })]);
    const jobs = await installation.connect();
    await node.flushDeclarations();
    return new Stage(installation, jobs, ledger, attempts);
  }

  get accepted(): number {
    return this.#accepted;
  }

  get missing(): number {
    return this.#ledger.missing;
  }

  /** Publishes for as long as `more` answers yes, holding back while `maxBacklog` jobs wait to be handled. */
  publishWhile(more: () => boolean, maxBacklog = Number.POSITIVE_INFINITY): Promise<void> {
    const mayPublish = () => this.#ledger.missing < maxBacklog;
    return publishStubbornly(this.#jobs, LANES, more, mayPublish, {
      onAccepted: (id) => {
        this.#accepted += 1;
        this.#ledger.accept(id);
        this.#bell.ring();
      },
      onRefused: (code) => {
        this.#refused[code] = (this.#refused[code] ?? 0) + 1;
      },
    });
  }

  /** Resolves when so many publishes have resolved. */
  untilAccepted(count: number, withinMs: number): Promise<void> {
    return this.#bell.until(`${count} accepted`, () => this.#accepted >= count, withinMs);
  }

  /** Resolves when all accepted jobs were handled, duplicates included; rejects when that takes too long. */
  async settle(withinMs: number): Promise<void> {
    await this.#ledger.whenAllHandled(withinMs);
    const { topology, url } = this.#installation;
    const admin = await AmqpAdmin.connect(url);
    const queues = topology.queues.filter(({ role }) => role === 'work' || role === 'suspect');
    try {
      await eventually('what was published twice is handled too', async () => {
        const depths = await Promise.all(queues.map(({ name }) => admin.depth(name)));
        return depths.every((depth) => depth === 0);
      });
    } finally {
      await admin.close();
    }
  }

  async account(): Promise<Account> {
    const { accepted, handled, lost, duplicates } = this.#ledger.report();
    const { url, topology, lines } = this.#installation;
    const parked = await parkedIds(url, topology);
    const suspected = lines.filter(({ msg }) => String(msg).startsWith('job was in hand')).length;
    const losses = lines.filter(({ msg }) => String(msg).startsWith('lost the connection'));
    return {
      accepted,
      handled,
      lost: lost.filter((id) => !parked.all.has(id)).length,
      duplicated: duplicates,
      attemptsSpentByFaults: this.#attempts.spent,
      deadLettered: parked.dead,
      unroutable: parked.unroutable,
      suspected,
      connectionsLost: losses.length,
      refused: this.#refused,
    };
  }

  close(): Promise<void> {
    return this.#installation.dispose();
  }
}
