import { foreignHeaders, type Original, type OutgoingMessage } from '@warren/broker';
import { HEADERS, newJobId } from '@warren/contracts';
import { readDeadLetter } from './dead-letter.ts';
import {
  isScalar,
  keptHeaders,
  namesPrototype,
  PROTOTYPE,
  type RecordValue,
  writableHeaders,
} from './record-headers.ts';

/** A dead letter outside the broker: one line of an export. Its body is `payload`, or `bodyBase64`. */
export interface LetterRecord {
  readonly format: typeof FORMAT;
  /** Queue of dead letters that it was in, without the namespace. */
  readonly queue: string;
  readonly routingKey: string;
  readonly properties: Readonly<Record<string, string | number>>;
  readonly headers: Readonly<Record<string, RecordValue>>;
  /** Headers of the letter that no line can hold; absent where there are none. */
  readonly notKept?: readonly string[] | undefined;
  /** The body as JSON, where writing it as JSON again gives the same bytes. */
  readonly payload?: unknown;
  /** The body byte for byte, where it is not. */
  readonly bodyBase64?: string | undefined;
  /** Personal data was taken out: it cannot be put back. */
  readonly redacted?: boolean | undefined;
}

const FORMAT = 'warren.dead-letter.v1';
const PROPERTIES = [
  'messageId',
  'type',
  'contentType',
  'contentEncoding',
  'appId',
  'correlationId',
  'timestamp',
] as const;
const OWN: ReadonlySet<string> = new Set(Object.values(HEADERS));

/** A dead letter as a line of an export, all of it but what the broker counts. */
export function letterRecord(message: Original['message'], queue: string): LetterRecord {
  const { reason, deadAtMs } = readDeadLetter(message, 0);
  const { properties, fields, content } = message;
  const all = (properties.headers ?? {}) as Record<string, unknown>;
  const { headers, notKept: others } = keptHeaders(ownAndForeign(all));
  const notKept = namesPrototype(all) ? [...others, PROTOTYPE] : others;
  return {
    format: FORMAT,
    queue,
    routingKey: fields.routingKey,
    properties: Object.fromEntries(
      PROPERTIES.flatMap((name) => {
        const value: unknown = properties[name];
        return isScalar(value) && value !== '' ? [[name, value as string | number]] : [];
      }),
    ),
    headers: {
      ...headers,
      ...(reason !== undefined && { [HEADERS.deadReason]: reason }),
      ...(deadAtMs !== undefined && { [HEADERS.deadAt]: deadAtMs }),
    },
    ...(notKept.length > 0 && { notKept }),
    ...bodyOf(content),
  };
}

/** Those of the broker are not taken along. */
function ownAndForeign(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const own = Object.entries(headers).filter(([name]) => OWN.has(name));
  return { ...foreignHeaders(headers), ...Object.fromEntries(own) };
}

function bodyOf(content: Buffer): Pick<LetterRecord, 'payload' | 'bodyBase64'> {
  try {
    const payload: unknown = JSON.parse(content.toString());
    if (Buffer.from(JSON.stringify(payload)).equals(content)) return { payload };
  } catch {
    // Kept as bytes.
  }
  return { bodyBase64: content.toString('base64') };
}

/**
 * Reads a line of an export.
 * @throws Error saying what is wrong with it
 */
export function parseLetterRecord(line: string): LetterRecord {
  const value = parse(line) as Partial<Record<keyof LetterRecord, unknown>> | null;
  if (typeof value !== 'object' || value === null || value.format !== FORMAT) {
    throw new Error(`no dead letter of an export (its "format" is not ${FORMAT})`);
  }
  const { queue, routingKey, properties, headers, bodyBase64 } = value;
  if (value.redacted === true) {
    throw new Error('its personal data was taken out by the export: use --show-pii there');
  }
  if (typeof queue !== 'string' || queue === '') throw new Error('"queue" is missing');
  if (typeof routingKey !== 'string') throw new Error('"routingKey" is missing');
  checkProperties(properties);
  checkHeaders(headers);
  if (Object.hasOwn(value, 'payload') === (bodyBase64 !== undefined)) {
    throw new Error('expected either "payload" or "bodyBase64"');
  }
  if (bodyBase64 !== undefined && !isBase64(bodyBase64)) {
    throw new Error('"bodyBase64" is not base64');
  }
  return value as LetterRecord;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error('not JSON');
  }
}

function checkProperties(properties: unknown): void {
  if (!isTable(properties)) throw new Error('"properties" is missing');
  const wrong = Object.entries(properties).find(([, value]) => !isScalar(value));
  if (wrong) throw new Error(`"properties": ${JSON.stringify(wrong[0])} has a wrong value`);
}

function checkHeaders(headers: unknown): void {
  if (!isTable(headers)) throw new Error('"headers" is missing');
  try {
    writableHeaders(headers);
  } catch (error) {
    throw new Error(`"headers": ${(error as Error).message}`);
  }
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isBase64(text: unknown): text is string {
  return typeof text === 'string' && Buffer.from(text, 'base64').toString('base64') === text;
}

function headersOf({ headers }: LetterRecord): Record<string, unknown> {
  return ownAndForeign(writableHeaders(headers));
}

/** The message that a record was made of, as far as it was kept. */
export function originalOf(record: LetterRecord, nowMs: number): Original {
  const { bodyBase64, payload, properties, routingKey } = record;
  const body =
    bodyBase64 === undefined
      ? Buffer.from(JSON.stringify(payload))
      : Buffer.from(bodyBase64, 'base64');
  const fields = { routingKey, exchange: '', deliveryTag: 0, redelivered: false, consumerTag: '' };
  const message = {
    content: body,
    fields,
    properties: { ...properties, headers: headersOf(record) },
  };
  return { message: message as Original['message'], body, receivedAtMs: nowMs };
}

/** What publishes a record as the dead letter that it was. */
export function deadLetterMessage(
  record: LetterRecord,
  to: Pick<OutgoingMessage, 'exchange' | 'routingKey'>,
): OutgoingMessage {
  const { body } = originalOf(record, 0);
  const known = PROPERTIES.filter((name) => Object.hasOwn(record.properties, name));
  const properties = Object.fromEntries(known.map((name) => [name, record.properties[name]]));
  return {
    exchange: to.exchange,
    routingKey: to.routingKey,
    body,
    properties: {
      ...properties,
      messageId: String(properties['messageId'] ?? newJobId()),
      persistent: true,
      mandatory: true,
      headers: headersOf(record),
    },
  };
}
