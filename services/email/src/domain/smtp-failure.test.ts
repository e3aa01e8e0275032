import { NonRetryableError } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import { SmtpError, smtpFailure } from './smtp-failure.ts';

const failed = (code: string, responseCode?: number, command?: string): Error =>
  Object.assign(new Error(`failed: ${responseCode ?? code}`), { code, responseCode, command });

const PERMANENT: [string, Error][] = [
  ['no such mailbox', failed('EENVELOPE', 550, 'RCPT TO')],
  ['the mailbox is full for good', failed('EENVELOPE', 552, 'RCPT TO')],
  ['the domain takes no mail', failed('EENVELOPE', 556, 'RCPT TO')],
  ['sender refused', failed('EENVELOPE', 553, 'MAIL FROM')],
  ['refused after the content', failed('EMESSAGE', 554, 'DATA')],
  ['an address that the client itself refuses', failed('EENVELOPE', undefined, 'API')],
  ['larger than the server says it takes', failed('EMESSAGE', undefined, 'MAIL FROM')],
];

const RETRYABLE: [string, Error][] = [
  ['greylisted', failed('EENVELOPE', 451, 'RCPT TO')],
  ['mailbox busy', failed('EENVELOPE', 450, 'RCPT TO')],
  ['too many connections', failed('EPROTOCOL', 421, 'CONN')],
  ['content deferred', failed('EMESSAGE', 452, 'DATA')],
  ['wrong sequence of commands', failed('EENVELOPE', 503, 'RCPT TO')],
  ['wrong password', failed('EAUTH', 535, 'AUTH PLAIN')],
  ['no password', failed('EAUTH', undefined, 'API')],
  ['log in first', failed('EENVELOPE', 530, 'MAIL FROM')],
  ['OAuth token expired', failed('EOAUTH2', 400)],
  ['no SMTP service here', failed('EPROTOCOL', 554, 'CONN')],
  ['refused at EHLO', failed('EPROTOCOL', 550, 'EHLO')],
  ['refused STARTTLS', failed('ETLS', 554, 'STARTTLS')],
  ['connection refused', failed('ESOCKET', undefined, 'CONN')],
  ['connection lost', failed('ECONNECTION', undefined, 'CONN')],
  ['lost after the content', failed('ECONNECTION', undefined, 'DATA')],
  ['timeout', failed('ETIMEDOUT', undefined, 'CONN')],
  ['no greeting', failed('ETIMEDOUT')],
  ['no such host', failed('EDNS', undefined, 'CONN')],
  ['wrong certificate', failed('ETLS')],
  ['wrong setting', failed('ECONFIG')],
  ['an error that says nothing', new Error('Connection pool was closed')],
];

describe('smtpFailure', () => {
  it.each(PERMANENT)('%s: useless to retry', (_name, error) => {
    const failure = smtpFailure(error, 'a@example.org');
    expect(failure).toBeInstanceOf(NonRetryableError);
    expect(failure.message).toBe(`SMTP: ${error.message}`);
  });

  it.each(RETRYABLE)('%s: another attempt may succeed', (_name, error) => {
    const failure = smtpFailure(error, 'a@example.org');
    expect(failure).toBeInstanceOf(SmtpError);
    expect(failure.message).toBe(`SMTP: ${error.message}`);
  });

  it('keeps the kind of failure as its code', () => {
    expect(smtpFailure(failed('ETIMEDOUT'), '').code).toBe('ETIMEDOUT');
  });

  it.each([undefined, null, 'text', 7, {}])('takes %j, which is no error', (thrown) => {
    expect(smtpFailure(thrown, 'a@example.org')).toBeInstanceOf(SmtpError);
  });

  it('does not repeat the recipient, wherever the server put it', () => {
    const error = new Error('550 <a@example.org>: no a@example.org here');
    expect(smtpFailure(error, 'a@example.org').message).toBe(
      'SMTP: 550 <(recipient)>: no (recipient) here',
    );
  });
});
