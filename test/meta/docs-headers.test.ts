import { readFileSync } from 'node:fs';
import type { OutgoingMessage } from '@warren/broker';
import { DEAD_REASONS, HEADERS, MAX_ERROR_HEADER_BYTES } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import { firstColumn, tableRows } from './markdown-table.ts';

const doc = readFileSync(new URL('../../docs/headers.md', import.meta.url), 'utf8');

/** AMQP's names of the properties that a message may have; the compiler holds the keys against the type. */
const properties: Record<keyof OutgoingMessage['properties'], string | undefined> = {
  messageId: 'message-id',
  type: 'type',
  contentType: 'content-type',
  contentEncoding: 'content-encoding',
  timestamp: 'timestamp',
  appId: 'app-id',
  correlationId: 'correlation-id',
  persistent: 'delivery-mode',
  headers: 'headers',
  expiration: 'expiration',
  // A flag of the publish, not of the message.
  mandatory: undefined,
};

describe('docs/headers.md', () => {
  it('has a row for each header and no other', () => {
    expect(firstColumn(doc, '## Headers').sort()).toEqual(Object.values(HEADERS).sort());
  });

  it('says of each header what it means and when it is absent', () => {
    for (const [, kind, meaning, absent] of tableRows(doc, '## Headers')) {
      expect(['number', 'time', 'text']).toContain(kind);
      expect(meaning).not.toBe('');
      expect(absent).not.toBe('');
    }
    expect(doc).toContain(`at most ${MAX_ERROR_HEADER_BYTES} bytes`);
  });

  it('has each reason of a dead letter, as the code has it, and no other', () => {
    expect(tableRows(doc, '## Reasons of dead letters')).toEqual(Object.entries(DEAD_REASONS));
  });

  it('has a row for each property that is written and no other', () => {
    const written = Object.values(properties).filter((name) => name !== undefined);
    expect(firstColumn(doc, '## Properties').sort()).toEqual(written.sort());
  });
});
