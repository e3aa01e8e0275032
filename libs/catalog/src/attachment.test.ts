import { encodePayload, validatePayload } from '@warren/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sendEmail } from './index.ts';

const MIB = 1024 * 1024;
const file = { filename: 'plan.pdf', contentType: 'application/pdf', content: 'SGVsbG8=' };
const mailWith = (...attachments: object[]) => ({
  to: 'ada@example.com',
  subject: 'Hello',
  text: 'Hi',
  attachments,
});
const base64Of = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');

describe('attachments of email.send', () => {
  it.each([
    ['none', []],
    ['ten', Array.from({ length: 10 }, () => file)],
    ['an empty one', [{ ...file, content: '' }]],
    ['a name in any script', [{ ...file, filename: 'Übersicht 日本 🐇 (1).pdf' }]],
    ['a type with a parameter', [{ ...file, contentType: 'text/csv; charset=utf-8' }]],
    [
      '5 MiB in two',
      [
        { ...file, content: base64Of(4 * MIB) },
        { ...file, content: base64Of(MIB) },
      ],
    ],
  ])('may be %s', (_, attachments) => {
    const mail = mailWith(...attachments);
    expect(validatePayload(sendEmail, mail)).toEqual(mail);
    expect(() => encodePayload(sendEmail, mail)).not.toThrow();
  });

  it.each<[string, string, object[]]>([
    ['eleven', 'attachments', Array.from({ length: 11 }, () => file)],
    [
      'more than 5 MiB in all',
      'attachments',
      [
        { ...file, content: base64Of(4 * MIB) },
        { ...file, content: base64Of(MIB + 1) },
      ],
    ],
    ['no name', 'attachments.0.filename', [{ ...file, filename: '' }]],
    ['an unknown member', 'attachments.0.path', [{ ...file, path: '/etc/passwd' }]],
    ['text in place of base64', 'attachments.1.content', [file, { ...file, content: 'Hello!' }]],
  ])('are refused: %s', (_, field, attachments) => {
    expect(() => validatePayload(sendEmail, mailWith(...attachments))).toThrow(
      new RegExp(`^email\\.send: ${field}: `),
    );
  });

  it.each(['a/b', '..\\b', '/etc/passwd', '..', '.', 'a\r\nb', 'a\0', 'fdp.\u202egpj', '\u2066x'])(
    'are refused with the name %j',
    (filename) => {
      expect(() => validatePayload(sendEmail, mailWith({ ...file, filename }))).toThrow(
        'attachments.0.filename: may not hold a path or control characters',
      );
    },
  );

  it.each(['pdf', 'text/', 'text/plain\r\nX: y', 'text/plain; name="a"', 'a/b/c', ''])(
    'are refused with the type %j',
    (contentType) => {
      expect(() => validatePayload(sendEmail, mailWith({ ...file, contentType }))).toThrow(
        /attachments\.0\.contentType: /,
      );
    },
  );

  it.each(['A', 'AA', 'AAA', 'AB==', '====', 'AA A', 'AAA=\n', '-_-_', 'AAAA=', '%41%41'])(
    'are refused with the content %j',
    (content) => {
      expect(() => validatePayload(sendEmail, mailWith({ ...file, content }))).toThrow(
        'attachments.0.content: is not base64',
      );
    },
  );

  it('take what any encoder makes of any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const content = Buffer.from(bytes).toString('base64');
        expect(() => validatePayload(sendEmail, mailWith({ ...file, content }))).not.toThrow();
      }),
    );
  });
});
