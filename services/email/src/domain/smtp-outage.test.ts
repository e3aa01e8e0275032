import { JobTimeoutError, NonRetryableError } from '@warren/contracts';
import { expect, it } from 'vitest';
import { SmtpError, smtpFailure } from './smtp-failure.ts';
import { isSmtpOutage } from './smtp-outage.ts';

const reply = (fields: object) => Object.assign(new Error('no'), fields);

it.each<[boolean, unknown]>([
  [true, smtpFailure(reply({ code: 'ESOCKET' }), 'a@example.org')],
  [true, smtpFailure(reply({ code: 'ECONNECTION', command: 'CONN' }), 'a@example.org')],
  [true, smtpFailure(reply({ code: 'ETIMEDOUT', command: 'CONN' }), 'a@example.org')],
  [true, smtpFailure(reply({ code: 'EAUTH', responseCode: 535 }), 'a@example.org')],
  [true, new JobTimeoutError('email.send', 1)],
  [
    false,
    smtpFailure(
      reply({ code: 'EENVELOPE', responseCode: 451, command: 'RCPT TO' }),
      'a@example.org',
    ),
  ],
  [false, new SmtpError('EMESSAGE', 'no')],
  [false, new NonRetryableError('550 no such mailbox')],
  [false, undefined],
])('an outage: %s for %s', (expected, error) => {
  expect(isSmtpOutage(error)).toBe(expected);
});
