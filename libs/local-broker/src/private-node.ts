import type { NodeControl } from './node-control.ts';

/** How to start a private node. */
export interface PrivateNodeOptions {
  /** Where its data lie. Default: a temporary folder that `stop` removes; a folder given here is kept. */
  readonly dataDir?: string;
  /** Plugins to enable, for example `rabbitmq_management`. Default: none. */
  readonly plugins?: readonly string[];
  /** Default: a free port. */
  readonly amqpPort?: number;
  /** Port of the management page, if that plugin is on. Default: a free port. */
  readonly managementPort?: number;
  /** More lines for `rabbitmq.conf`. */
  readonly extraConfig?: string;
  /**
   * Another Debian system's folder, entered with chroot (as root; /proc mounted; `dataDir` inside it), to run
   * its RabbitMQ; `/` for this machine's own. Default: `WARREN_RABBITMQ_ROOT`, else `/`.
   */
  readonly root?: string;
  /** How long the node may take until it is ready. Default: 60,000. */
  readonly startWithinMs?: number;
}

/**
 * A RabbitMQ node that belongs to this process: loopback only, with ports, name, cookie, port mapper and data
 * of its own. It is killed, and temporary data removed, however this process ends.
 */
export interface PrivateNode extends NodeControl {
  /** `amqp://guest:guest@127.0.0.1:PORT` */
  readonly url: string;
  readonly amqpPort: number;
  /** Present when the plugin `rabbitmq_management` is on. */
  readonly managementPort?: number;
  /** Present when the plugin `rabbitmq_prometheus` is on. */
  readonly prometheusPort?: number;
  /** For example `3.10.8`. */
  readonly version: string;
  readonly nodeName: string;
  readonly dataDir: string;
  /** Stops it cleanly, or kills it when that takes over 20 s, and removes temporary data. May be repeated. */
  stop(): Promise<void>;
  /** Kills all its processes at once, as a power cut would. Ports and data stay reserved for `restart`. */
  kill(): Promise<void>;
  /** Ends it, if it runs, cleanly (default) or by `kill`, and starts it on the same ports and data. */
  restart(how?: 'stop' | 'kill'): Promise<void>;
  /** Freezes it: from when it resolves connections stay open and nothing answers. `rabbitmqctl` hangs meanwhile. */
  pause(): Promise<void>;
  /** Lets it go on after `pause`. */
  resume(): void;
}
