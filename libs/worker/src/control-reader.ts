import { type Broker, NewestReader, type StreamMessage, type StreamReader } from '@warren/broker';
import {
  type CancelRequest,
  type ControlSnapshot,
  decodeCancelRequest,
  decodeControlSnapshot,
  newJobId,
  WarrenError,
} from '@warren/contracts';
import { type Logger, rememberNews } from '@warren/telemetry';
import { within } from './within.ts';

/** What a reader of both control streams needs. */
export interface ControlReaderOptions {
  readonly broker: Pick<Broker, 'readStream' | 'publisher' | 'figures' | 'topology'>;
  readonly logger: Logger;
  onCancel(request: CancelRequest): void;
  /** The last one counts. */
  onSnapshot(snapshot: ControlSnapshot): void;
}

const PREFETCH = 1_000;
/** What was cancelled of old is read within this, or not waited for. */
const CATCH_UP_MS = 5_000;
/** The last snapshot comes within milliseconds, if there is one that the broker has not counted yet, as it does within seconds. */
const SNAPSHOT_MS = 100;
const LOOK_AGAIN_MS = 20;
const MARK = Buffer.from('{"v":1,"mark":true}');

/** Hears which jobs are cancelled and which queues are paused, from before its start on and for as long as it is open. */
export class ControlReader {
  readonly #options: ControlReaderOptions;
  readonly #control: NewestReader<ControlSnapshot>;
  readonly #cancels: StreamReader;
  readonly #isNews = rememberNews();
  readonly #mark = newJobId();
  readonly #marked = deferred();
  readonly #snapshotSeen = deferred();
  readonly #closed = deferred();
  #isClosed = false;

  constructor(options: ControlReaderOptions) {
    const { broker } = options;
    const { names } = broker.topology;
    this.#options = options;
    this.#control = this.#readControl(names.control);
    this.#cancels = broker.readStream({
      stream: names.cancels,
      from: 'first',
      prefetch: PREFETCH,
      onMessages: async (messages) => this.#onCancels(messages),
      onProblem: (problem) => this.#onProblem(names.cancels, problem),
    });
  }

  /**
   * Resolves when what was said before is known: nothing that was cancelled or paused meanwhile runs at a start. It waits
   * for the broker, but not for one that does not keep these streams. Never rejects.
   */
  async start(): Promise<void> {
    this.#control.start();
    this.#cancels.start();
    // A stream does not say where it ends: what comes before a message of one's own has been read when that comes.
    const isRead =
      (await this.#publishMark()) &&
      (await this.#wait(CATCH_UP_MS, this.#marked)) &&
      (await this.#seeSnapshot());
    if (!isRead && !this.#isClosed) {
      this.#options.logger.warn('cancellations and pauses could not be read; jobs run without');
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closed.resolve();
    await Promise.all([this.#control.close(), this.#cancels.close()]);
  }

  #readControl(stream: string): NewestReader<ControlSnapshot> {
    const { broker, logger } = this.#options;
    return new NewestReader({
      broker,
      stream,
      decode: decodeControlSnapshot,
      onValue: (snapshot) => {
        this.#options.onSnapshot(snapshot);
        this.#snapshotSeen.resolve();
      },
      onNothing: () => this.#snapshotSeen.resolve(),
      onNonsense: (offset) =>
        logger.warn(
          { queue: stream, offset },
          'what was switched makes no sense; what was set before stays',
        ),
      onProblem: (problem) => this.#onProblem(stream, problem),
    });
  }

  #onProblem(stream: string, problem: string): void {
    if (!this.#isNews(stream, problem)) return;
    const { logger } = this.#options;
    logger.error({ queue: stream, problem }, 'cannot read a stream; trying again');
  }

  #onCancels(messages: readonly StreamMessage[]): void {
    for (const { body, properties } of messages) {
      if (properties.messageId === this.#mark) this.#marked.resolve();
      const request = decodeCancelRequest(body);
      if (request) this.#options.onCancel(request);
    }
  }

  /** False where the broker does not take it: one that is away is waited for, since without it nothing runs anyway. */
  async #publishMark(): Promise<boolean> {
    const { publisher, topology } = this.#options.broker;
    const properties = { messageId: this.#mark, persistent: true, mandatory: true } as const;
    const mark = { exchange: '', routingKey: topology.names.cancels, body: MARK, properties };
    while (!this.#isClosed) {
      // A publisher that keeps it until there is a broker would hold up the end of the process for as long.
      if (!publisher.isOpen) {
        await this.#wait(LOOK_AGAIN_MS, this.#closed);
        continue;
      }
      try {
        await publisher.publish(mark);
        return true;
      } catch (error) {
        if (!isAway(error)) return false;
        // A publisher that refuses at once must not make a hot loop of this.
        await this.#wait(SNAPSHOT_MS, this.#closed);
      }
    }
    return false;
  }

  /** False where there is one that did not come in time. */
  async #seeSnapshot(): Promise<boolean> {
    if (await this.#wait(SNAPSHOT_MS, this.#snapshotSeen)) return true;
    const { broker } = this.#options;
    const { control } = broker.topology.names;
    const figures = await broker.figures([control]).catch(() => undefined);
    if ((figures?.get(control)?.ready ?? 0) === 0) return true;
    return this.#wait(CATCH_UP_MS, this.#snapshotSeen);
  }

  #wait(timeoutMs: number, { promise }: Deferred): Promise<boolean> {
    const settled = Promise.race([promise, this.#closed.promise]);
    return within(timeoutMs, settled);
  }
}

function isAway(error: unknown): boolean {
  if (!(error instanceof WarrenError)) return false;
  return error.code === 'BROKER_UNAVAILABLE' || error.code === 'PUBLISH_TIMEOUT';
}

interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
}

function deferred(): Deferred {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
