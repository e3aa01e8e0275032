import { HEADERS } from '@warren/contracts';
import { cleanText } from '../clean-text.ts';
import type { LeasedOutboxMessage, OutboxMessage } from './types.ts';

/** A message as it goes into the statement; `body` is base64. */
export interface MessageRow {
  readonly ord: number;
  readonly id: string;
  readonly exchange: string;
  readonly routing_key: string;
  readonly body: string;
  readonly properties: string;
}

/** As it is read; `body` is bytes. */
export type StoredMessage = Omit<MessageRow, 'ord' | 'body'> & {
  readonly body: Buffer;
  readonly leases: number;
  /** Until when it waited on purpose, if it did. */
  readonly waits_until_ms: number | null;
};

export const MESSAGE_COLUMNS = {
  ord: 'int',
  id: 'text',
  exchange: 'text',
  routing_key: 'text',
  body: 'text',
  properties: 'text',
} as const;

export function messageRow(message: OutboxMessage, ord: number): MessageRow {
  return {
    ord,
    id: cleanText(message.id),
    exchange: cleanText(message.exchange),
    routing_key: cleanText(message.routingKey),
    body: message.body.toString('base64'),
    // JSON spells out NUL and lone surrogates, so that they come back as they were.
    properties: JSON.stringify(message.properties),
  };
}

export function leasedMessage(row: StoredMessage): LeasedOutboxMessage {
  return {
    id: row.id,
    exchange: row.exchange,
    routingKey: row.routing_key,
    body: row.body,
    properties: propertiesOf(row),
    leases: row.leases,
  };
}

/** Properties as `messageRow` wrote them. */
export function parseProperties(text: string): Record<string, unknown> {
  return JSON.parse(text, revive) as Record<string, unknown>;
}

/** A job that waited on purpose is published when it leaves: its age and its wait count from then. */
function propertiesOf({ properties: text, waits_until_ms }: StoredMessage) {
  const properties = parseProperties(text);
  if (waits_until_ms === null) return properties;
  const headers = properties['headers'] as Record<string, unknown> | undefined;
  return { ...properties, headers: { ...headers, [HEADERS.publishedAt]: waits_until_ms } };
}

/** A Buffer among the headers is JSON of its own kind. */
function revive(_key: string, value: unknown): unknown {
  const { type, data } = (value ?? {}) as { type?: unknown; data?: unknown };
  return type === 'Buffer' && Array.isArray(data) ? Buffer.from(data as number[]) : value;
}
