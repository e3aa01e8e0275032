import type { Broker, OutgoingMessage, PublisherOptions, WhenFull } from '@warren/broker';
import {
  ConfigInvalidError,
  type EventDefinition,
  type JobDefinition,
  type Lane,
  type PayloadInput,
  type QueueFullError,
  type WarrenError,
} from '@warren/contracts';
import { isTracing } from '@warren/telemetry';
import { type BulkItem, type BulkOptions, checkBulk, type WindowOptions } from './bulk-options.ts';
import { byType, unknown, unknownEvent } from './by-type.ts';
import type { CancelOptions } from './cancel-request.ts';
import type { ClientHistory } from './client-history.ts';
import type { ClientParts } from './client-parts.ts';
import type { Many } from './item-source.ts';
import type { JobsReadiness, PublishedJob } from './jobs-answers.ts';
import { enteredNow } from './late-entry.ts';
import type { Outlet } from './outbox/outlet.ts';
import { type MaybePromise, type Sender, toEventMessage, toJobMessage } from './outgoing-job.ts';
import { type BulkResult, publishEach } from './publish-many.ts';
import type { EmitOptions, PublishOptions } from './publish-options.ts';
import { createdHere, sendTraced } from './traced-message.ts';
import type { WaitOptions } from './waiting/wait-options.ts';

/** Publishes jobs and events. Made by `connectJobs`. */
export class Jobs {
  /** Who publishes, and under which names. */
  readonly sender: Sender;
  readonly #broker: Broker;
  readonly #parts: ClientParts;
  readonly #jobs: ReadonlyMap<string, JobDefinition>;
  readonly #events: ReadonlyMap<string, EventDefinition>;
  #closing: Promise<void> | undefined;

  constructor(broker: Broker, sender: Sender, parts: ClientParts) {
    this.#broker = broker;
    this.sender = sender;
    this.#parts = parts;
    this.#jobs = byType(parts.jobs);
    this.#events = byType(parts.events);
  }

  /**
   * Publishes one job. Resolves when the broker has stored it in a queue; a rejection says whether it was sent.
   * @throws PayloadInvalidError, PayloadTooLargeError, HeaderInvalidError, ConfigInvalidError (option), OptionNeedsStoreError,
   * UnknownJobTypeError: nothing was sent
   * @throws BrokerUnavailableError, BrokerBlockedError, PublishBufferFullError, QueueFullError, ShuttingDownError: nothing
   * was sent
   * @throws UnroutableError, PublishRefusedError: the broker did not keep it
   * @throws PublishTimeoutError: unknown; repeat with the same id
   */
  publish<Definition extends JobDefinition>(
    job: Definition,
    payload: PayloadInput<Definition>,
    options?: PublishOptions,
  ): Promise<PublishedJob> {
    return this.#publishJob(job.type, job, payload, options);
  }

  /** As `publish`, for callers that know the job type by name only. */
  publishByType(type: string, payload: unknown, options?: PublishOptions): Promise<PublishedJob> {
    return this.#publishJob(type, this.#jobs.get(type), payload, options);
  }

  /**
   * The message that `publishByType` would send, for those who keep it and send it later; nothing is sent.
   * @throws PayloadInvalidError, PayloadTooLargeError, HeaderInvalidError, ConfigInvalidError (option), UnknownJobTypeError,
   * QueueFullError
   */
  prepare(
    type: string,
    payload: unknown,
    options?: PublishOptions,
  ): OutgoingMessage | Promise<OutgoingMessage> {
    const job = this.#jobs.get(type);
    if (!job) throw unknown(type, this.#jobs);
    const message = this.#jobMessage(job, payload, options);
    return message instanceof Promise ? message.then(createdHere) : createdHere(message);
  }

  /**
   * As `prepare`, but a queue that is full is no error yet: `refuse`, if there is one, makes it, and counts it, for those who
   * find nothing else to do for the job.
   */
  async prepareAnyway(
    type: string,
    payload: unknown,
    options?: PublishOptions,
  ): Promise<{ readonly message: OutgoingMessage; readonly refuse?: () => QueueFullError }> {
    const job = this.#jobs.get(type);
    if (!job) throw unknown(type, this.#jobs);
    const message = createdHere(await toJobMessage(this.sender, job, payload, options));
    const full = job.maxDepth && (await this.#fullness(job.type, job.maxDepth, options?.lane));
    return full ? { message, refuse: () => this.#refused(type, full) } : { message };
  }

  /** Publishes what `prepare` made, now or earlier: a delay counts from then. Rejects as `publish` does. */
  send(message: OutgoingMessage, timeoutMs?: number): Promise<PublishedJob> {
    return this.#send(
      () => enteredNow(this.sender.names, message, Date.now()),
      timeoutMs === undefined ? undefined : { timeoutMs },
    );
  }

  /**
   * Resolves with true when the history has what was told so far, at once without a history; with false after so many ms.
   * Never rejects. To be awaited before something is forgotten that the history is to tell from then on.
   */
  async whenTold(timeoutMs: number): Promise<boolean> {
    return (await this.#parts.history?.whenTold(timeoutMs)) ?? true;
  }

  /**
   * Publishes many jobs of one type from any iterable, at most `window` at once, and yields what became of each as it
   * becomes known: read all of it. Memory stays flat for a million items; a reader that is slow slows the publishing down, and
   * so does a buffer that is full: items stay in the source until there is room.
   * @throws ConfigInvalidError naming what every item would suffer from; while it is read, whatever the source throws
   */
  publishMany<Definition extends JobDefinition>(
    job: Definition,
    payloads: Many<PayloadInput<Definition>>,
    bulk: BulkOptions<PayloadInput<Definition>> = {},
  ): AsyncGenerator<BulkResult, void, undefined> {
    const window = checkBulk(payloads, bulk, ['window', 'options']);
    return publishEach(
      payloads,
      (payload, index) =>
        this.#publishJob(job.type, job, payload, bulk.options?.(payload, index), 'keep'),
      window,
      this.#broker.publisher,
    );
  }

  /** As `publishMany`, for jobs of several types that are known by name only. */
  publishManyByType(
    items: Many<BulkItem>,
    bulk: WindowOptions = {},
  ): AsyncGenerator<BulkResult, void, undefined> {
    return publishEach(
      items,
      ({ type, payload, options }) =>
        this.#publishJob(type, this.#jobs.get(type), payload, options, 'keep'),
      checkBulk(items, bulk, ['window']),
      this.#broker.publisher,
    );
  }

  /**
   * Publishes a fact for whoever reads it; to have no reader is no error. Rejects as `publish` does, but never with
   * UnroutableError.
   */
  emit<Definition extends EventDefinition>(
    event: Definition,
    payload: PayloadInput<Definition>,
    options?: EmitOptions,
  ): Promise<PublishedJob> {
    if (!this.#events.has(event.type))
      return Promise.reject(unknownEvent(event.type, this.#events));
    return this.#send(() => toEventMessage(this.sender, event, payload, options), options);
  }

  /** As `emit`, for callers that know the event by name only. */
  emitByType(type: string, payload: unknown, options?: EmitOptions): Promise<PublishedJob> {
    const event = this.#events.get(type);
    if (!event) return Promise.reject(unknownEvent(type, this.#events));
    return this.emit(event, payload, options);
  }

  /**
   * Asks the workers to end a job: one that waits is not run, and a handler that runs sees its signal abort. Resolves when the
   * request is stored; whether it came in time, the job's history tells. It is followed for a day.
   * A job that waits by `debounce` is still replaced by later requests, and then they are not run either: cancel it through the
   * gateway or `warren jobs cancel`, which have later requests make another job.
   * @throws ConfigInvalidError naming `id`, the option, or `history` where the client keeps none; else as `publish`
   */
  async cancel(id: string, options?: CancelOptions): Promise<void> {
    await this.#history('cancel').cancel(id, options);
  }

  /**
   * Waits until a job has ended, and resolves to what its handler returned; `id` as `publish` answered it. It looks back as far as `since`; a job that ended
   * before is found through the gateway only.
   * @throws JobFailedError, ResultMissingError, WaitTimeoutError; ShuttingDownError at `close`; ConfigInvalidError naming `id`,
   * the option, or `history` where the client keeps none
   */
  async wait(id: string, options: WaitOptions): Promise<unknown> {
    return this.#history('wait').wait(id, options);
  }

  /** For a relay of an outbox: publishes finished messages on a channel of its own. The relay ends it. */
  openOutlet(options: PublisherOptions): Outlet {
    return this.#parts.openOutlet(options);
  }

  /** Why a publish would be refused at once, before it is sent or waited for; undefined where it would be tried. */
  refusal(): WarrenError | undefined {
    return this.#broker.publisher.refusal();
  }

  readiness(): JobsReadiness {
    const checks = this.#broker.checks();
    return { ready: Object.values(checks).every((check) => check === 'ok'), checks };
  }

  /** Refuses new publishes, waits for those under way (each has its deadline), tells the history, disconnects. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.#broker.publisher.close();
      await this.#parts.history?.close();
      await this.#broker.close();
    } finally {
      this.#parts.onClosed();
    }
  }

  #publishJob(
    type: string,
    job: JobDefinition | undefined,
    payload: unknown,
    options: PublishOptions | undefined,
    whenFull?: WhenFull,
  ): Promise<PublishedJob> {
    // A type that this client was not given has no queue in its topology.
    if (!job || !this.#jobs.has(type)) return Promise.reject(unknown(type, this.#jobs));
    return this.#send(() => this.#jobMessage(job, payload, options), options, whenFull);
  }

  /** Checked first, so that what is wrong with a job does not depend on its queue. */
  #jobMessage(
    job: JobDefinition,
    payload: unknown,
    options: PublishOptions | undefined,
  ): MaybePromise<OutgoingMessage> {
    const built = toJobMessage(this.sender, job, payload, options);
    if (job.maxDepth === undefined) return built;
    return this.#withRoom(job, job.maxDepth, options?.lane, built);
  }

  async #withRoom(
    { type }: JobDefinition,
    maxDepth: number,
    lane: Lane | undefined,
    built: MaybePromise<OutgoingMessage>,
  ): Promise<OutgoingMessage> {
    const message = await built;
    const full = await this.#fullness(type, maxDepth, lane);
    if (full) throw this.#refused(type, full);
    return message;
  }

  async #fullness(
    type: string,
    maxDepth: number,
    lane: Lane = 'normal',
  ): Promise<QueueFullError | undefined> {
    // What cannot be sent now is refused, or kept, for that reason.
    if (this.refusal() !== undefined) return undefined;
    return this.#parts.depths.refusal(this.sender.names.laneQueue(type, lane), maxDepth);
  }

  #refused(type: string, full: QueueFullError): QueueFullError {
    this.#parts.onFull(type);
    return full;
  }

  #history(what: string): ClientHistory {
    const { history } = this.#parts;
    if (history) return history;
    throw new ConfigInvalidError('history', `${what} needs it: connect with \`history: true\``);
  }

  /** On the hot path: one promise where the schema answers at once. */
  #send(
    build: () => OutgoingMessage | Promise<OutgoingMessage>,
    options: EmitOptions | undefined,
    whenFull?: WhenFull,
  ): Promise<PublishedJob> {
    try {
      const built = build();
      if (!(built instanceof Promise)) return this.#publish(built, options?.timeoutMs, whenFull);
      return built.then((message) => this.#publish(message, options?.timeoutMs, whenFull));
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }

  #publish(message: OutgoingMessage, timeoutMs?: number, whenFull?: WhenFull) {
    const { publisher } = this.#broker;
    if (!isTracing()) return publisher.publish(message, timeoutMs, whenFull);
    return sendTraced(message, (traced) => publisher.publish(traced, timeoutMs, whenFull));
  }
}
