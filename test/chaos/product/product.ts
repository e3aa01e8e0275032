import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts, type PrivateNode } from '@warren/local-broker';
import { AmqpAdmin, openStoreBench, sharedDatabaseUrl } from '@warren/testing';
import { buildTopology } from '@warren/topology';
import { Part } from '../../support/part.ts';
import { charge, mail, type ReadyLine, type RunLine } from '../fixtures/product-jobs.ts';
import { RunLedger } from './run-ledger.ts';
import type { Strike, Target } from './strikes.ts';

/** Longer than a delivery, its run and its way into the store take. */
const QUIET_MS = 1_500;

type Bench = Awaited<ReturnType<typeof openStoreBench>>;

/** Gateway, worker and tracker as processes, on a broker and in schemas of their own. */
export class Product {
  readonly ledger = new RunLedger();
  readonly bench: Bench;
  readonly gatewayUrl: string;
  /** Where the logs of its processes are. */
  readonly logs: string;
  /** Names broker, database and namespace to whoever wants to join. */
  readonly env: Readonly<Record<string, string>>;
  readonly #node: PrivateNode;
  readonly #parts: Readonly<Record<Exclude<Target, 'broker'>, Part>>;
  #isWorking = false;

  private constructor(node: PrivateNode, bench: Bench, logs: string, ports: readonly number[]) {
    const [port, opsPort] = ports;
    this.#node = node;
    this.bench = bench;
    this.logs = logs;
    this.gatewayUrl = `http://127.0.0.1:${port}`;
    this.env = {
      AMQP_URL: node.url,
      DATABASE_URL: sharedDatabaseUrl(),
      WARREN_NAMESPACE: bench.namespace,
    };
    this.#parts = {
      gateway: this.#service('gateway', `${this.gatewayUrl}/readyz`, { PORT: String(port) }),
      tracker: this.#service('tracker', `http://127.0.0.1:${opsPort}/readyz`, {
        OPS_PORT: String(opsPort),
      }),
      worker: new Part({
        name: 'worker',
        program: 'test/chaos/fixtures/product-worker.ts',
        env: this.env,
        logFile: join(logs, 'worker.log'),
        onLine: (line) => this.#hear(JSON.parse(line) as RunLine | ReadyLine),
        isReady: () => this.#isWorking,
      }),
    };
  }

  /** Resolves when all is up, and what it declared would survive a kill of the node. */
  static async start(node: PrivateNode): Promise<Product> {
    const bench = await openStoreBench();
    const logs = await mkdtemp(join(tmpdir(), 'warren-chaos-'));
    const product = new Product(node, bench, logs, await freePorts(2));
    try {
      await product.#up(['gateway', 'worker', 'tracker']);
      await node.flushDeclarations();
      return product;
    } catch (error) {
      await product.close();
      throw error;
    }
  }

  /** Times that one of its processes ended by itself. */
  get crashes(): number {
    return Object.values(this.#parts).reduce((sum, { crashes }) => sum + crashes, 0);
  }

  /** Kills, waits, and starts again what was killed; resolves when all of it is ready. */
  async strike({ targets, downMs }: Strike): Promise<void> {
    if (targets.includes('worker')) this.#isWorking = false;
    await Promise.all(
      targets.map((one) => (one === 'broker' ? this.#node.kill() : this.#parts[one].kill())),
    );
    await pause(downMs);
    await this.#up(targets);
  }

  /** Resolves when nothing waits, nothing runs, and the store changes no more; rejects if all stands still before. */
  async settle(withoutProgressMs: number): Promise<void> {
    const { queues } = buildTopology({
      namespace: this.bench.namespace,
      jobTypes: [mail.type, charge.type],
    });
    const waiting = queues.filter(({ role }) => ['work', 'suspect', 'retry'].includes(role));
    const admin = await AmqpAdmin.connect(this.#node.url);
    const isEmpty = async () => {
      const depths = await Promise.all(waiting.map(({ name }) => admin.depth(name)));
      return depths.every((depth) => depth === 0) && (await this.#unended()) === 0;
    };
    let before = '';
    let changedAtMs = Date.now();
    try {
      for (;;) {
        const [was, is] = [before, await this.#traces()];
        before = is;
        // A duplicate may still be in hand, or told of: all was so a while ago.
        if (was === is && (await isEmpty())) return;
        if (was !== is) changedAtMs = Date.now();
        else if (Date.now() - changedAtMs > withoutProgressMs) {
          throw new Error(
            `not all has ended, and nothing has happened for ${withoutProgressMs} ms`,
          );
        }
        await pause(QUIET_MS);
      }
    } finally {
      await admin.close();
    }
  }

  /** Ends everything, and drops its schemas; logs stay where `keepLogs` says so. */
  async close(keepLogs = true): Promise<void> {
    await Promise.all(Object.values(this.#parts).map((part) => part.kill()));
    await this.bench.dispose();
    if (!keepLogs) await rm(this.logs, { recursive: true, force: true });
  }

  async #up(targets: readonly Target[]): Promise<void> {
    const parts = targets.flatMap((one) => (one === 'broker' ? [] : [this.#parts[one]]));
    for (const part of parts) part.start();
    if (targets.includes('broker')) await this.#node.restart();
    await Promise.all(parts.map((part) => part.whenReady()));
  }

  async #unended(): Promise<number> {
    const [row] = await this.bench.sql(
      `SELECT (SELECT count(*) FROM warren.outbox)::int
        + (SELECT count(*) FROM projection.jobs WHERE finished_at_ms IS NULL)::int AS unended`,
    );
    return Number(row?.['unended']);
  }

  /** Changes with whatever happens to jobs. */
  async #traces(): Promise<string> {
    const [row] = await this.bench.sql(
      `SELECT count(*) AS runs, sum(ended_at_ms) AS ends, (SELECT sum(at_ms) FROM projection.jobs) AS jobs
        FROM projection.attempts`,
    );
    return JSON.stringify([row, this.ledger.lines]);
  }

  #service(name: 'gateway' | 'tracker', probe: string, own: Record<string, string>): Part {
    return new Part({
      name,
      program: `services/${name}/src/main.ts`,
      env: { ...this.env, LOG_LEVEL: 'warn', ...own },
      logFile: join(this.logs, `${name}.log`),
      isReady: async () => (await fetch(probe)).ok,
    });
  }

  #hear(line: RunLine | ReadyLine): void {
    if (line.event === 'ready') this.#isWorking = true;
    else this.ledger.record(line);
  }
}
