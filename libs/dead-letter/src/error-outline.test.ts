import { expect, it } from 'vitest';
import { errorOutline } from './error-outline.ts';

it.each([
  [
    [
      'attempt 2: SmtpError [EENVELOPE]: refused ada@example.org,',
      '    who lives in Main Street: 1',
      '    caused by Error: ada',
      '    at send (/app/services/email/src/send.ts:12:3)',
      '    at async /app/run.js:1:1',
      'attempt 1: TypeError',
    ].join('\n'),
    [
      'attempt 2: SmtpError [EENVELOPE]: [redacted]',
      '    caused by Error: [redacted]',
      '    at send (/app/services/email/src/send.ts:12:3)',
      '    at async /app/run.js:1:1',
      'attempt 1: TypeError',
    ].join('\n'),
  ],
  ['ValueError: ada', 'ValueError: [redacted]'],
  ['ada@example.org was refused', '[redacted]'],
  ['Error [ada@example.org]: x', '[redacted]'],
  ['Error: x\n    at ada@example.org', 'Error: [redacted]'],
  ['Error: x\nAda: you\n  Ada: you', 'Error: [redacted]'],
  ['', '[redacted]'],
])('%j has no message left', (error, outline) => {
  expect(errorOutline(error)).toBe(outline);
});
