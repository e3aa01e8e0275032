import {
  ConfigInvalidError,
  type Duration,
  durationToMs,
  isLane,
  type JobDefinition,
  LANES,
  type Lane,
  MAX_DELAY_MS,
  OptionNeedsStoreError,
} from '@warren/contracts';
import { checkHeaders, isText, type PublishHeaders } from './check-headers.ts';

/** What may be said about one event. */
export interface EmitOptions {
  /** Id, a UUID. Default: a fresh UUIDv7. Give the same one when a publish is repeated. */
  readonly id?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly headers?: PublishHeaders | undefined;
  /** From call to confirm. Default: the client's. */
  readonly timeoutMs?: number | undefined;
  /** Worthless after this: what has not run by then is dropped, and counted as expired. */
  readonly expiresIn?: Duration | undefined;
}

/** What may be said about one job. */
export interface PublishOptions extends EmitOptions {
  /**
   * Makes the id from job type and key, so that a repeated request has the same id. It says that two jobs are the same; it
   * does not by itself keep the second from running.
   */
  readonly idempotencyKey?: string | undefined;
  /** Not to be run before this long from now; at most 24h, and at most the job type's `maxAge`. */
  readonly delay?: Duration | undefined;
  /** Not to be run before this time; at most as far ahead as `delay`. A time that is over means now. */
  readonly runAt?: Date | undefined;
  /** Which of the job type's lanes it waits in; only types with `lanes` have any but `normal`. Default `normal`. */
  readonly lane?: Lane | undefined;
}

/** Options that are checked, with times made absolute. */
export interface CheckedOptions {
  readonly id: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly correlationId: string | undefined;
  readonly headers: PublishHeaders | undefined;
  readonly timeoutMs: number | undefined;
  readonly delayMs: number;
  readonly lane: Lane;
  readonly expiresAtMs: number | undefined;
}

const EMIT_OPTIONS = ['id', 'correlationId', 'headers', 'timeoutMs', 'expiresIn'];
const PUBLISH_OPTIONS = [...EMIT_OPTIONS, 'idempotencyKey', 'delay', 'runAt', 'lane'];
/** The gateway's, which has a store: they are in no type of a client. */
const STORE_OPTIONS = ['unique', 'throttle', 'debounce', 'maxWait', 'uniqueKey'];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** AMQP short strings end here. */
const MAX_SHORT_STRING_BYTES = 255;
const MAX_KEY_BYTES = 1_024;
const MAX_TIMEOUT_MS = 600_000;

const NOTHING: CheckedOptions = Object.freeze({
  id: undefined,
  idempotencyKey: undefined,
  correlationId: undefined,
  headers: undefined,
  timeoutMs: undefined,
  delayMs: 0,
  lane: 'normal',
  expiresAtMs: undefined,
});

/**
 * @param job what is delayed for longer than its `maxAgeMs` could only become a dead letter
 * @throws ConfigInvalidError naming the option, HeaderInvalidError, OptionNeedsStoreError
 */
export function checkPublishOptions(
  options: PublishOptions | undefined,
  nowMs: number,
  job: Pick<JobDefinition, 'type' | 'maxAgeMs' | 'lanes'>,
): CheckedOptions {
  if (options === undefined) return NOTHING;
  refuseUnknown(options, PUBLISH_OPTIONS, STORE_OPTIONS);
  const { idempotencyKey, delay, runAt } = options;
  if (idempotencyKey !== undefined) checkText('idempotencyKey', idempotencyKey, MAX_KEY_BYTES);
  if (idempotencyKey !== undefined && options.id !== undefined) {
    throw new ConfigInvalidError('idempotencyKey', 'makes the id: give one of the two');
  }
  if (delay !== undefined && runAt !== undefined) {
    throw new ConfigInvalidError('runAt', 'give one of delay and runAt');
  }
  const expiresAtMs = checkCommon(options, nowMs);
  const delayMs = delayMsOf(options, nowMs, job.maxAgeMs);
  if (expiresAtMs !== undefined && expiresAtMs <= nowMs + delayMs) {
    throw new ConfigInvalidError('expiresIn', 'is over before the job may run');
  }
  const lane = laneOf(options, job);
  return checked(options, { idempotencyKey, delayMs, lane, expiresAtMs });
}

/** @throws ConfigInvalidError naming the option, HeaderInvalidError */
export function checkEmitOptions(options: EmitOptions | undefined, nowMs: number): CheckedOptions {
  if (options === undefined) return NOTHING;
  refuseUnknown(options, EMIT_OPTIONS);
  const { idempotencyKey, delayMs, lane } = NOTHING;
  const expiresAtMs = checkCommon(options, nowMs);
  return checked(options, { idempotencyKey, delayMs, lane, expiresAtMs });
}

function refuseUnknown(
  options: object,
  known: readonly string[],
  ofStore: readonly string[] = [],
): void {
  if (typeof options !== 'object' || options === null) {
    throw new ConfigInvalidError('options', 'expected an object');
  }
  for (const name in options) {
    if (!known.includes(name)) {
      if (ofStore.includes(name)) throw new OptionNeedsStoreError(name);
      throw new ConfigInvalidError(name, `unknown option (known: ${known.join(', ')})`);
    }
  }
}

/** @returns when the message is worthless, if it ever is */
function checkCommon(options: EmitOptions, nowMs: number): number | undefined {
  const { id, correlationId, headers, timeoutMs, expiresIn } = options;
  if (id !== undefined && !(typeof id === 'string' && UUID.test(id))) {
    throw new ConfigInvalidError('id', 'expected a UUID');
  }
  if (correlationId !== undefined) {
    checkText('correlationId', correlationId, MAX_SHORT_STRING_BYTES);
  }
  if (timeoutMs !== undefined && !isTimeout(timeoutMs)) {
    throw new ConfigInvalidError('timeoutMs', `expected 1 to ${MAX_TIMEOUT_MS}, got ${timeoutMs}`);
  }
  if (headers !== undefined) checkHeaders(headers);
  return expiresIn === undefined ? undefined : nowMs + lifetimeMs(expiresIn);
}

/** Member by member: to spread objects took a tenth of the time that a bulk request has for a job. */
function checked(
  { id, correlationId, headers, timeoutMs }: EmitOptions,
  {
    idempotencyKey,
    delayMs,
    lane,
    expiresAtMs,
  }: Pick<CheckedOptions, 'idempotencyKey' | 'delayMs' | 'lane' | 'expiresAtMs'>,
): CheckedOptions {
  return {
    id,
    idempotencyKey,
    correlationId,
    // What was checked is what is sent: amqplib would add inherited headers, and a caller may change its object meanwhile.
    headers: headers && { ...headers },
    timeoutMs,
    delayMs,
    lane,
    expiresAtMs,
  };
}

function isTimeout(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value <= MAX_TIMEOUT_MS;
}

function checkText(name: string, value: unknown, maxBytes: number): void {
  const bytes = typeof value === 'string' && isText(value) ? Buffer.byteLength(value) : 0;
  if (bytes < 1 || bytes > maxBytes) {
    throw new ConfigInvalidError(name, `expected text of 1 to ${maxBytes} bytes`);
  }
}

function lifetimeMs(expiresIn: Duration): number {
  const ms = durationToMs(expiresIn, 'expiresIn');
  if (ms < 1) throw new ConfigInvalidError('expiresIn', 'expected more than 0ms');
  return ms;
}

function delayMsOf({ delay, runAt }: PublishOptions, nowMs: number, maxAgeMs: number): number {
  if (delay !== undefined) return withinReach('delay', durationToMs(delay, 'delay'), maxAgeMs);
  if (runAt === undefined) return 0;
  if (!(runAt instanceof Date) || Number.isNaN(runAt.getTime())) {
    throw new ConfigInvalidError('runAt', 'expected a valid Date');
  }
  return withinReach('runAt', Math.max(0, runAt.getTime() - nowMs), maxAgeMs);
}

function laneOf(
  { lane = 'normal' }: PublishOptions,
  { type, lanes }: { type: string; lanes: boolean },
): Lane {
  if (!isLane(lane)) {
    throw new ConfigInvalidError('lane', `expected one of ${LANES.join(', ')}`);
  }
  if (lane !== 'normal' && !lanes) {
    throw new ConfigInvalidError('lane', `${type} has no lanes: set \`lanes\` of the job type`);
  }
  return lane;
}

function withinReach(name: string, delayMs: number, maxAgeMs: number): number {
  if (delayMs > MAX_DELAY_MS) {
    throw new ConfigInvalidError(name, 'at most 24h ahead; later times need a scheduler');
  }
  if (delayMs > maxAgeMs) {
    throw new ConfigInvalidError(name, "is longer than the job type's maxAge");
  }
  return delayMs;
}
