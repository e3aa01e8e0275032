import { loadConfig } from '@warren/runtime';
import { describe, expect, it } from 'vitest';
import { emailSettings } from './config.ts';

const load = (env: Record<string, string>) => loadConfig(emailSettings, env);

describe('the settings of the e-mail service', () => {
  it('have defaults that send to a development mailbox', () => {
    expect(load({})).toMatchObject({
      SMTP_URL: undefined,
      MAIL_FROM: 'Warren <warren@localhost>',
      MAILBOX_PORT: 8025,
      EMAIL_CONCURRENCY: 10,
    });
  });

  it.each(['smtp://127.0.0.1:1025', 'smtps://user:p%40ss@mail.example.org', 'smtp://[::1]?pool=1'])(
    'take %s as SMTP_URL',
    (url) => {
      expect(load({ SMTP_URL: url }).SMTP_URL).toBe(url);
    },
  );

  it.each([
    'mail.example.org',
    'http://mail.example.org',
    'smtp://',
    'smtp://user:hunter2/@mail.example.org',
    'smtp://user:hunter2@host:port',
  ])('refuse %s as SMTP_URL, naming it and hiding it', (url) => {
    expect(() => load({ SMTP_URL: url })).toThrow(/^SMTP_URL: must be/);
    expect(() => load({ SMTP_URL: url })).not.toThrow(/hunter2/);
  });

  it.each(['a@example.org', '<a@example.org>', 'Ada Ünal <a@example.org>'])(
    'take %s as MAIL_FROM',
    (from) => {
      expect(load({ MAIL_FROM: from }).MAIL_FROM).toBe(from);
    },
  );

  it.each([
    'Ada',
    'a@example.org, b@example.org',
    'Ada <a@example.org>\r\nBcc: b@example.org',
    'Ada\r\nBcc: b@example.org <a@example.org>',
    'Ada <a@b@example.org>',
  ])('refuse %j as MAIL_FROM', (from) => {
    expect(() => load({ MAIL_FROM: from })).toThrow(/^MAIL_FROM: must be/);
  });

  it.each(['0', '1001', '2.5', 'many'])('refuse %s as EMAIL_CONCURRENCY', (value) => {
    expect(() => load({ EMAIL_CONCURRENCY: value })).toThrow(/^EMAIL_CONCURRENCY: must be/);
  });
});
