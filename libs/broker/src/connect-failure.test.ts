import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainConnectFailure } from './connect-failure.ts';
import type { Endpoint } from './connection-settings.ts';

const endpoint: Endpoint = {
  protocol: 'amqp',
  hostname: 'broker',
  port: 5672,
  username: 'mailer',
  password: 'hunter2',
  vhost: encodeURIComponent('my/jobs'),
  heartbeat: 10,
  frameMax: 131_072,
};

function socketError(code: string, message = code): Error {
  return Object.assign(new Error(message), { code });
}

describe('explainConnectFailure', () => {
  it('names the user whom the broker refused', () => {
    const error = new Error(
      'Handshake terminated by server: 403 (ACCESS-REFUSED) with message "ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN. For details see the broker logfile."',
    );
    expect(explainConnectFailure(error, endpoint)).toBe(
      'broker:5672 refused user "mailer": wrong user name or password, or no access to the vhost',
    );
  });

  it.each([
    // What amqplib 2.3.1 says when RabbitMQ 3.10 or 4.3 refuses the vhost.
    'Expected ConnectionOpenOk; got <ConnectionClose channel:0>',
    'Connection closed: 530 (NOT-ALLOWED) with message "NOT_ALLOWED - vhost my/jobs not found"',
    `NOT_ALLOWED - access to vhost 'my/jobs' refused for user 'mailer'`,
  ])('names the vhost, decoded: %s', (message) => {
    const said = explainConnectFailure(new Error(message), endpoint);
    expect(said).toBe('broker:5672 has no vhost "my/jobs", or user "mailer" may not use it');
  });

  it.each([
    ['ECONNREFUSED', 'connection refused'],
    ['ENOTFOUND', 'host name not found'],
    ['EAI_AGAIN', 'host name not found'],
    ['ECONNRESET', 'reset during the handshake'],
  ])('explains %s', (code, part) => {
    const said = explainConnectFailure(socketError(code), endpoint);
    expect(said.startsWith('broker:5672: ')).toBe(true);
    expect(said).toContain(part);
  });

  it('reads the first of several errors, as for a host with two addresses', () => {
    const both = new AggregateError([socketError('ECONNREFUSED'), socketError('ENETUNREACH')]);
    expect(explainConnectFailure(both, endpoint)).toContain('connection refused');
  });

  it.each([
    [new Error('certificate has expired'), 'certificate has expired'],
    [socketError('EPIPE', ''), 'EPIPE'],
    ['just text', 'just text'],
    [undefined, 'undefined'],
    [new AggregateError([], 'none'), 'none'],
  ])('passes on what it does not know: %s', (error, part) => {
    expect(explainConnectFailure(error, endpoint)).toBe(`broker:5672: ${part}`);
  });

  it('does without an endpoint', () => {
    expect(explainConnectFailure(socketError('ECONNREFUSED'), undefined)).toMatch(/^the broker: /);
  });

  it('holds no password, whatever the error says', () => {
    const password = fc
      .string({ unit: 'grapheme', minLength: 4, maxLength: 20 })
      .map((text) => `pw-${text}`);
    const code = fc.constantFrom('', 'ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET', 'EPROTO');
    const text = fc.constantFrom('cannot reach ', 'ACCESS_REFUSED ', 'NOT_ALLOWED vhost ');
    fc.assert(
      fc.property(password, code, text, fc.boolean(), (secret, errorCode, start, isEncoded) => {
        const written = isEncoded ? encodeURIComponent(secret) : secret;
        const error = socketError(errorCode, `${start}amqp://mailer:${written}@broker`);
        const said = explainConnectFailure(error, { ...endpoint, password: secret });
        expect(said).not.toContain(secret);
        expect(said).not.toContain(encodeURIComponent(secret));
      }),
    );
  });
});
