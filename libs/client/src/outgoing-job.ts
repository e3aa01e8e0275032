import type { OutgoingMessage, SafeProperties } from '@warren/broker';
import {
  derivedJobId,
  type EventDefinition,
  encodePayload,
  HEADERS,
  type JobDefinition,
  type Lane,
  newJobId,
  type PayloadDefinition,
  timeOfJobId,
  validatePayload,
} from '@warren/contracts';
import { planHop } from '@warren/retry';
import { laneKey, type Names, RETRY_TIERS } from '@warren/topology';
import {
  type CheckedOptions,
  checkEmitOptions,
  checkPublishOptions,
  type EmitOptions,
  type PublishOptions,
} from './publish-options.ts';

/** What does not change from one message to the next. */
export interface Sender {
  readonly service: string;
  readonly names: Names;
}

/** Where a message goes in. */
export interface Entry {
  readonly exchange: string;
  readonly routingKey: string;
  /** Refused when no queue takes it. An event may have no reader. */
  readonly mandatory: boolean;
  readonly expirationMs?: number;
  readonly notBeforeMs?: number;
}

export type MaybePromise<T> = T | Promise<T>;

const TIERS_MS = RETRY_TIERS.map(({ delayMs }) => delayMs);

/**
 * Turns a payload into the message that carries it, or says what is wrong with it; nothing is sent here.
 * What is sent is the payload as given, not the schema's output: transforms run once, where it is consumed.
 * @throws PayloadInvalidError, PayloadTooLargeError, HeaderInvalidError, ConfigInvalidError naming the option
 */
export function toJobMessage(
  sender: Sender,
  job: JobDefinition,
  payload: unknown,
  options: PublishOptions | undefined,
): MaybePromise<OutgoingMessage> {
  const nowMs = Date.now();
  const checked = checkPublishOptions(options, nowMs, job);
  return validated(job, payload, () =>
    build(sender, job, payload, checked, jobEntry(sender.names, job.type, checked, nowMs), nowMs),
  );
}

/** As `toJobMessage`, for an event. */
export function toEventMessage(
  sender: Sender,
  event: EventDefinition,
  payload: unknown,
  options: EmitOptions | undefined,
): MaybePromise<OutgoingMessage> {
  const nowMs = Date.now();
  const checked = checkEmitOptions(options, nowMs);
  const entry = { exchange: sender.names.events, routingKey: event.type, mandatory: false };
  return validated(event, payload, () => build(sender, event, payload, checked, entry, nowMs));
}

/** Goes on when the payload fits; at once, where its schema answers at once. */
export function validated<T>(
  definition: PayloadDefinition,
  payload: unknown,
  then: () => T,
): MaybePromise<T> {
  const result = validatePayload(definition, payload);
  return result instanceof Promise ? result.then(then) : then();
}

/** A delayed job goes to a retry tier, and from there to its queue; it is never early. */
export function jobEntry(
  names: Names,
  type: string,
  { delayMs, lane }: { readonly delayMs: number; readonly lane: Lane },
  nowMs: number,
): Entry {
  if (delayMs === 0) {
    return { exchange: names.jobs, routingKey: laneKey(type, lane), mandatory: true };
  }
  const hop = planHop({ delayMs, exact: true, nowMs, tiersMs: TIERS_MS });
  const tier = RETRY_TIERS.find((candidate) => candidate.delayMs === hop.tierMs);
  return {
    exchange: names.retry(tier ?? { name: `${hop.tierMs}ms` }),
    routingKey: names.laneQueue(type, lane),
    mandatory: true,
    expirationMs: hop.tierMs,
    ...(hop.notBeforeMs !== undefined && { notBeforeMs: hop.notBeforeMs }),
  };
}

/** The message, once all is checked. */
export function build(
  sender: Pick<Sender, 'service'>,
  definition: PayloadDefinition,
  payload: unknown,
  options: CheckedOptions,
  entry: Entry,
  nowMs: number,
): OutgoingMessage {
  const messageId = idOf(definition, options);
  const properties: { -readonly [Key in keyof SafeProperties]: SafeProperties[Key] } = {
    messageId,
    type: definition.type,
    contentType: 'application/json',
    // Whole seconds, as the AMQP type has it; the id tells the milliseconds.
    timestamp: Math.floor(nowMs / 1_000),
    appId: sender.service,
    persistent: true,
    mandatory: entry.mandatory,
  };
  const headers = headersOf(definition, options, entry, messageId, nowMs);
  if (headers) properties.headers = headers;
  if (options.correlationId !== undefined) properties.correlationId = options.correlationId;
  if (entry.expirationMs !== undefined) properties.expiration = String(entry.expirationMs);
  return {
    exchange: entry.exchange,
    routingKey: entry.routingKey,
    body: encodePayload(definition, payload),
    properties,
  };
}

function idOf({ type }: PayloadDefinition, { id, idempotencyKey }: CheckedOptions): string {
  if (id !== undefined) return id.toLowerCase();
  return idempotencyKey === undefined ? newJobId() : derivedJobId(type, idempotencyKey);
}

/** Headers cost throughput: undefined where none is needed. */
function headersOf(
  { version }: PayloadDefinition,
  { headers, expiresAtMs, id, idempotencyKey }: CheckedOptions,
  { notBeforeMs }: Entry,
  messageId: string,
  nowMs: number,
): Record<string, unknown> | undefined {
  const isFresh = id === undefined && idempotencyKey === undefined;
  const isDated = isFresh || timeOfJobId(messageId) !== undefined;
  if (
    !headers &&
    expiresAtMs === undefined &&
    notBeforeMs === undefined &&
    version === 1 &&
    isDated
  ) {
    return undefined;
  }
  return {
    ...headers,
    ...(expiresAtMs !== undefined && { [HEADERS.expiresAt]: expiresAtMs }),
    ...(notBeforeMs !== undefined && { [HEADERS.notBefore]: notBeforeMs }),
    ...(version > 1 && { [HEADERS.payloadVersion]: version }),
    ...(!isDated && { [HEADERS.publishedAt]: nowMs }),
  };
}
