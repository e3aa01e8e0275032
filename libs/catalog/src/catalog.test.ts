import { readdirSync, readFileSync } from 'node:fs';
import { checkJobTypeName, encodePayload, redactPayload, validatePayload } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import { catalog, sendEmail } from './index.ts';

describe('the catalog', () => {
  it('has a description for people and a valid name for each job type, each once', () => {
    const types = catalog.map(({ type }) => type);
    expect(new Set(types).size).toBe(types.length);
    for (const { type, description } of catalog) {
      expect(() => checkJobTypeName(type)).not.toThrow();
      expect(description).not.toBe('');
    }
  });

  it('lists every job type that its files define', () => {
    const folder = new URL('.', import.meta.url);
    const sources = readdirSync(folder).filter((name) => !name.endsWith('.test.ts'));
    const defined = sources
      .map((name) => readFileSync(new URL(name, folder), 'utf8'))
      .flatMap((source) => [...source.matchAll(/defineJob\(\{\s*type: '([^']+)'/g)])
      .map((match) => match[1]);
    expect(catalog.map(({ type }) => type).sort()).toEqual(defined.sort());
  });

  it('gives every job type less time to run than to live', () => {
    for (const { timeoutMs, maxAgeMs } of catalog) expect(timeoutMs).toBeLessThan(maxAgeMs);
  });
});

describe('email.send', () => {
  const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Hi' };

  it('takes a text, an HTML part or both', () => {
    const { text: _, ...bare } = mail;
    for (const payload of [mail, { ...bare, html: '<p>Hi</p>' }, { ...mail, html: '<p>Hi</p>' }]) {
      expect(validatePayload(sendEmail, payload)).toEqual(payload);
      expect(JSON.parse(encodePayload(sendEmail, payload).toString())).toEqual(payload);
    }
  });

  it.each<[string, object]>([
    ['to', { ...mail, to: 'nobody' }],
    ['to', { ...mail, to: 'a@example.com, b@example.com' }],
    ['to', { ...mail, to: 'a@example.com\r\nBcc: b@example.com' }],
    ['subject', { ...mail, subject: '' }],
    ['subject', { ...mail, subject: 'x'.repeat(999) }],
    ['text', { to: mail.to, subject: mail.subject }],
    ['bcc', { ...mail, bcc: 'b@example.com' }],
  ])('refuses a wrong %s: %j', (field, payload) => {
    expect(() => validatePayload(sendEmail, payload)).toThrow(
      new RegExp(`^email\\.send: ${field}: `),
    );
  });

  it('keeps the address and the content out of logs', () => {
    expect(redactPayload({ ...mail, html: 'Hi' }, sendEmail.piiPaths)).toEqual({
      to: '[redacted]',
      subject: 'Hello',
      text: '[redacted]',
      html: '[redacted]',
    });
  });
});
