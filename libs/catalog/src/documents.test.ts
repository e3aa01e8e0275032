import { redactPayload, validatePayload } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import { analyseDocument, fetchDocument } from './index.ts';

describe('document.fetch', () => {
  it.each(['https://example.org/a.pdf?signature=x#p2', 'http://127.0.0.1:8080/', 'http://[::1]/'])(
    'takes %s',
    (url) => {
      expect(validatePayload(fetchDocument, { url })).toEqual({ url });
    },
  );

  it.each([
    'example.org/a.pdf',
    'file:///etc/passwd',
    'ftp://example.org/a.pdf',
    'javascript:alert(1)',
    'https://ada:secret@example.org/a.pdf',
    'https://',
    `https://example.org/${'a'.repeat(2_048)}`,
  ])('refuses %s, naming the field', (url) => {
    expect(() => validatePayload(fetchDocument, { url })).toThrow(/^document\.fetch: url: /);
  });

  it('keeps the URL out of logs', () => {
    const payload = { url: 'https://example.org/a.pdf?signature=x' };
    expect(redactPayload(payload, fetchDocument.piiPaths)).toEqual({ url: '[redacted]' });
  });
});

describe('document.analyse', () => {
  it.each(['../../etc/passwd', 'A'.repeat(64), 'a'.repeat(63), ''])('refuses %j', (sha256) => {
    expect(() => validatePayload(analyseDocument, { sha256 })).toThrow(
      'document.analyse: sha256: expected 64 lower-case hexadecimal digits',
    );
  });
});
