import { ConfigInvalidError } from './errors.ts';

/**
 * The times of a worker, shortest reach first; docs/time.md says why they are in this order.
 *
 * - A publish has `publish.timeoutMs` from call to confirm.
 * - A handler has its job type's `timeout`, then its `cancelGrace` to end by itself.
 * - A process that stops has `shutdownGraceMs` for what runs; the cancel grace is a part of it.
 * - A delivery may be out for the broker's `consumer_timeout`: waiting in hand, handler and cancel grace together. Not those
 *   of a job type with `long`, which the broker has forgotten while they run.
 */
export interface WorkerTimes {
  /** From call to confirm. */
  readonly publishTimeoutMs?: number | undefined;
  readonly shutdownGraceMs?: number | undefined;
  /** The broker's own. */
  readonly consumerTimeoutMs?: number | undefined;
  /** How long a claim, or the lease of a long job, lasts unless it is renewed. */
  readonly claimLeaseMs?: number | undefined;
}

/** What a job type says of its times. */
export interface HandlerTimes {
  readonly type: string;
  readonly timeoutMs: number;
  readonly cancelGraceMs: number;
  readonly long?: boolean | undefined;
}

export type ResolvedTimes = Readonly<Record<keyof WorkerTimes, number>>;

/** That of a publish is the publisher's, that of the broker RabbitMQ's. */
const DEFAULTS: ResolvedTimes = Object.freeze({
  publishTimeoutMs: 10_000,
  shutdownGraceMs: 20_000,
  consumerTimeoutMs: 1_800_000,
  claimLeaseMs: 30_000,
});

const DAY_MS = 86_400_000;

/**
 * Fills in the defaults, and refuses what would go wrong at run time.
 * @throws ConfigInvalidError naming the setting, or the job type and its options
 */
export function resolveTimes(times: WorkerTimes, handlers: readonly HandlerTimes[]): ResolvedTimes {
  const resolved = {
    publishTimeoutMs: times.publishTimeoutMs ?? DEFAULTS.publishTimeoutMs,
    shutdownGraceMs: times.shutdownGraceMs ?? DEFAULTS.shutdownGraceMs,
    consumerTimeoutMs: times.consumerTimeoutMs ?? DEFAULTS.consumerTimeoutMs,
    claimLeaseMs: times.claimLeaseMs ?? DEFAULTS.claimLeaseMs,
  };
  const { publishTimeoutMs, shutdownGraceMs, consumerTimeoutMs, claimLeaseMs } = resolved;
  within('consumerTimeoutMs', consumerTimeoutMs, 1_000, 365 * DAY_MS);
  within('shutdownGraceMs', shutdownGraceMs, 0, DAY_MS);
  // One that no renewal could keep, or that a dead process would hold for ever.
  within('claimLeaseMs', claimLeaseMs, 500, 3_600_000);
  if (publishTimeoutMs >= consumerTimeoutMs) {
    throw new ConfigInvalidError(
      'publish.timeoutMs',
      `${publishTimeoutMs} ms reaches the broker's consumer_timeout (${consumerTimeoutMs} ms): a retry that is not confirmed ` +
        'would lose its delivery before it is repeated. Shorten it, or raise consumer_timeout at the broker and ' +
        'consumerTimeoutMs here (CONSUMER_TIMEOUT_SECONDS of a service)',
    );
  }
  for (const handler of handlers) checkHandler(handler, consumerTimeoutMs);
  return resolved;
}

/**
 * How long a delivery may wait in hand before it starts: longer than this it is better run elsewhere. A quarter of the
 * broker's time, and never so long that what is left of it could be too short for the handler.
 */
export function longestWaitMs(handler: HandlerTimes, consumerTimeoutMs: number): number {
  if (handler.long) return consumerTimeoutMs / 4;
  return Math.min(consumerTimeoutMs / 4, (consumerTimeoutMs - longestRunMs(handler)) / 2);
}

/** The part of a stop that comes after the handlers were told to end; at its end, and at most half of it. */
export function cancelGraceOfStopMs(
  { cancelGraceMs }: Pick<HandlerTimes, 'cancelGraceMs'>,
  leftMs: number,
): number {
  return Math.min(cancelGraceMs, leftMs / 2);
}

function longestRunMs({ timeoutMs, cancelGraceMs }: HandlerTimes): number {
  return timeoutMs + cancelGraceMs;
}

function checkHandler(handler: HandlerTimes, consumerTimeoutMs: number): void {
  const longestMs = longestRunMs(handler);
  if (handler.long || longestMs < consumerTimeoutMs) return;
  throw new ConfigInvalidError(
    `job ${handler.type}`,
    `timeout plus cancelGrace (${longestMs} ms) reaches the broker's consumer_timeout (${consumerTimeoutMs} ms), ` +
      `which would take the delivery back while the handler runs. Shorten the timeout, let the job type be long, or ${raised(handler)}`,
  );
}

/** What raises it for one job type, to be copied. A policy needs no restart; its pattern begins with the namespace. */
function raised(handler: HandlerTimes): string {
  // With room for the wait in hand before the start.
  const ms = Math.ceil((longestRunMs(handler) * 1.25) / 60_000) * 60_000;
  const queues = `^([a-z0-9_-]+\\.)?${handler.type.replaceAll('.', '\\.')}(\\.(high|low|suspect))?$`;
  return (
    `raise it: from RabbitMQ 3.12 with rabbitmqctl set_policy 'consumer-timeout ${handler.type}' '${queues}' ` +
    `'{"consumer-timeout":${ms}}' --apply-to queues, before that with consumer_timeout = ${ms} in rabbitmq.conf; ` +
    `then set consumerTimeoutMs here to ${ms}, or CONSUMER_TIMEOUT_SECONDS of a service to ${ms / 1_000}`
  );
}

function within(name: string, ms: number, min: number, max: number): void {
  if (Number.isInteger(ms) && ms >= min && ms <= max) return;
  throw new ConfigInvalidError(
    name,
    `expected a whole number from ${min} to ${max}, got ${String(ms)}`,
  );
}
