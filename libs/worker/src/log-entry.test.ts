import { describe, expect, it } from 'vitest';
import { MAX_LINE_BYTES, toLogEntry } from './log-entry.ts';

const asIs = (text: string) => text;
const line = (message: string, fields: Record<string, unknown> = {}) => ({
  level: 'info' as const,
  message,
  fields,
});
const bytesOf = ({ message, fields = '' }: { message: string; fields?: string | undefined }) =>
  Buffer.byteLength(message) + Buffer.byteLength(fields);

describe('a line', () => {
  it('is kept with its fields as JSON', () => {
    expect(toLogEntry(line('resized', { width: 3 }), 2, asIs)).toEqual({
      seq: 2,
      level: 'info',
      message: 'resized',
      fields: '{"width":3}',
    });
    expect(toLogEntry(line('resized'), 1, asIs).fields).toBeUndefined();
  });

  it('is redacted wherever it holds text', () => {
    const redact = (text: string) => text.replaceAll('ada', '[redacted]');
    const entry = toLogEntry(line('to ada', { to: 'ada', all: [{ cc: 'ada' }], n: 1 }), 1, redact);
    expect(JSON.stringify(entry)).not.toContain('ada');
    expect(JSON.parse(entry.fields ?? '')).toMatchObject({ to: '[redacted]', n: 1 });
  });

  it.each([
    ['a long message', line('é'.repeat(MAX_LINE_BYTES))],
    ['long fields', line('short', { text: '"é'.repeat(MAX_LINE_BYTES) })],
    ['both', line('x'.repeat(MAX_LINE_BYTES - 5), { more: 'x'.repeat(100) })],
  ])('is cut and says so: %s', (_, long) => {
    const entry = toLogEntry(long, 1, asIs);
    expect(bytesOf(entry)).toBeLessThanOrEqual(MAX_LINE_BYTES);
    expect(`${entry.message}${entry.fields ?? ''}`).toContain('[cut]');
    if (entry.fields !== undefined) expect(JSON.parse(entry.fields)).toHaveProperty(['[cut]']);
  });

  it('holds no NUL', () => {
    expect(toLogEntry(line('a\0b'), 1, asIs).message).toBe('ab');
  });
});
