import type { BrokerGreeting } from './amqp-probe.ts';
import { noteDataInUse, refuseDataInUse, releaseData } from './data-lock.ts';
import { type NodeProcess, spawnNode } from './node-process.ts';
import { waitUntilReady } from './node-ready.ts';
import type { SystemRoot } from './system-root.ts';
import { startWatchdog, type Watchdog } from './watchdog.ts';

const STOP_BOUND_MS = 20_000;

/** Everything that is the same at every start of one node. */
export interface NodePlan {
  readonly root: SystemRoot;
  /** Path of `rabbitmq-server` inside the root. */
  readonly serverScript: string;
  readonly env: Record<string, string>;
  readonly dataDir: string;
  /** Whether the data folder is removed at the end. */
  readonly temporary: boolean;
  readonly amqpPort: number;
  readonly startWithinMs: number;
}

/** Starts and ends one node, any number of times, watched over by a watchdog. */
export class NodeLife {
  readonly #plan: NodePlan;
  #node: NodeProcess | undefined;
  #watchdog: Watchdog | undefined;

  constructor(plan: NodePlan) {
    this.#plan = plan;
  }

  /** Starts the node. When that fails nothing is left behind. */
  async start(): Promise<BrokerGreeting> {
    const { root, serverScript, env, dataDir, amqpPort, startWithinMs } = this.#plan;
    await refuseDataInUse(dataDir);
    this.#watchdog ??= startWatchdog(this.#plan.temporary ? dataDir : undefined);
    const node = spawnNode((file, args) => root.enter(file, args), serverScript, env);
    this.#node = node;
    this.#watchdog.watch(node.pid);
    try {
      await noteDataInUse(dataDir, node.pid);
      return await waitUntilReady(node, amqpPort, dataDir, startWithinMs);
    } catch (error) {
      await this.kill();
      await this.#forget();
      throw error;
    }
  }

  /** Ends the node cleanly and then for good. */
  async stop(): Promise<void> {
    await this.#end((node) => node.stop(STOP_BOUND_MS));
    await this.#forget();
  }

  /** Ends the node as a power cut would; it may be started again. */
  async kill(): Promise<void> {
    await this.#end((node) => node.kill());
  }

  /** Ends the node, if it runs, and starts it again. */
  async restart(how: 'stop' | 'kill'): Promise<void> {
    await this.#end((node) => (how === 'stop' ? node.stop(STOP_BOUND_MS) : node.kill()));
    await this.start();
  }

  /** Freezes the node; resolves once nothing of it runs. */
  async pause(): Promise<void> {
    await this.#node?.pause();
  }

  /** Lets the node go on. */
  resume(): void {
    this.#node?.resume();
  }

  async #end(by: (node: NodeProcess) => Promise<void>): Promise<void> {
    const node = this.#node;
    if (!node) return;
    await by(node);
    this.#node = undefined;
    this.#watchdog?.watch(0);
    await releaseData(this.#plan.dataDir);
  }

  async #forget(): Promise<void> {
    const watchdog = this.#watchdog;
    this.#watchdog = undefined;
    await watchdog?.end();
  }
}
