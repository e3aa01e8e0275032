import { once } from 'node:events';
import { createServer } from 'node:net';
import { Script } from 'node:vm';
import { NonRetryableError } from '@warren/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SmtpError } from '../domain/smtp-failure.ts';
import { quietLogger } from '../fixtures/quiet-logger.ts';
import { type RunningMailbox, runMailbox } from '../fixtures/running-mailbox.ts';
import { createMailbox } from './mailbox.ts';

let mailbox: RunningMailbox;
beforeEach(async () => {
  mailbox = await runMailbox(3);
});
afterEach(() => mailbox.stop());

describe('the mails', () => {
  it('are shown as JSON, newest first, the last ones only', async () => {
    for (const n of [1, 2, 3, 4]) await mailbox.send({ subject: `n${n}`, jobId: `job-${n}` });
    const mails = await mailbox.messages();
    expect(mails.map(({ subject }) => subject)).toEqual(['n4', 'n3', 'n2']);
    expect(mails[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      jobId: 'job-4',
      messageId: '<job-1@localhost>',
      from: '"Warren" <warren@localhost>',
      to: 'a@example.org',
      subject: 'n4',
      text: 'Hello',
      html: null,
      replyTo: null,
      attachments: [],
      receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
  });

  it('come through as they were, in any script', async () => {
    await mailbox.send({ subject: 'Grüße 🐇 из Праги', text: 'ä\n.\n..\n日本', html: '<p>é</p>' });
    const [mail] = await mailbox.messages();
    expect(mail).toMatchObject({ subject: 'Grüße 🐇 из Праги', html: '<p>é</p>' });
    expect(mail?.text?.trimEnd()).toBe('ä\n.\n..\n日本');
  });

  it('can be deleted', async () => {
    await mailbox.send();
    expect((await fetch(`${mailbox.url}/messages`, { method: 'DELETE' })).status).toBe(204);
    expect(await mailbox.messages()).toEqual([]);
  });
});

describe('the page', () => {
  it('shows a hostile mail as text and lets nothing of it run', async () => {
    const html = '<script>alert(1)</script><img src=x onerror=alert(2)>';
    await mailbox.send({ subject: html, text: html, html });
    const response = await fetch(`${mailbox.url}/`);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe-inline');
    const page = await response.text();
    expect(page).toContain('&lt;script&gt;alert(1)');
    expect(page).not.toContain('<script>alert');
  });

  it('serves HTML bodies under a policy that sandboxes them', async () => {
    await mailbox.send({ html: '<b>bold</b>' });
    const [mail] = await mailbox.messages();
    const response = await fetch(`${mailbox.url}/messages/${mail?.id}/html`);
    expect(await response.text()).toBe('<b>bold</b>');
    expect(response.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
  });

  it('has its script, its style and a revision that changes with every change', async () => {
    const revision = async (): Promise<string> =>
      ((await (await fetch(`${mailbox.url}/revision`)).json()) as { revision: string }).revision;
    const script = await (await fetch(`${mailbox.url}/mailbox.js`)).text();
    expect(() => new Script(script)).not.toThrow();
    for (const asset of ['mailbox.js', 'mailbox.css']) {
      expect((await fetch(`${mailbox.url}/${asset}`)).status).toBe(200);
    }
    const revisions = [await revision()];
    await mailbox.send();
    revisions.push(await revision());
    await mailbox.setFailure('temporary');
    revisions.push(await revision());
    expect(new Set(revisions).size).toBe(3);
  });

  it.each(['/nothing', '/messages/none/html', '/messages/%E0%A4%A/html'])(
    'answers %s with a 4xx in JSON',
    async (path) => {
      const response = await fetch(mailbox.url + path);
      expect([400, 404]).toContain(response.status);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    },
  );
});

describe('the switch', () => {
  it('makes the mail server fail for now, for good, or be away, and work again', async () => {
    await mailbox.send();
    await mailbox.setFailure('temporary');
    await expect(mailbox.send()).rejects.toThrow(SmtpError);
    await expect(mailbox.send()).rejects.toThrow(/451/);
    await mailbox.setFailure('permanent');
    await expect(mailbox.send()).rejects.toThrow(NonRetryableError);
    await mailbox.setFailure('offline');
    await expect(mailbox.send()).rejects.toThrow(SmtpError);
    await expect(mailbox.send()).rejects.toMatchObject({ code: 'ESOCKET' });
    await mailbox.setFailure('none');
    await mailbox.send();
    expect(await mailbox.messages()).toHaveLength(2);
  });

  it('lets single recipients fail while it works', async () => {
    await expect(mailbox.send({ to: 'a@refuse.test' })).rejects.toThrow(NonRetryableError);
    await expect(mailbox.send({ to: 'a@busy.test' })).rejects.toThrow(SmtpError);
    await mailbox.send({ to: 'a@busy.test' });
    expect((await mailbox.messages()).map(({ to }) => to)).toEqual(['a@busy.test']);
  });

  it('says how it is set', async () => {
    expect(await (await mailbox.setFailure('offline')).json()).toEqual({ mode: 'offline' });
    expect(await (await fetch(`${mailbox.url}/failure`)).json()).toEqual({ mode: 'offline' });
  });

  it('takes quick changes one after the other', async () => {
    const modes = ['offline', 'none', 'offline', 'temporary', 'offline', 'none'];
    await Promise.all(modes.map((mode) => mailbox.setFailure(mode)));
    const set = await (await fetch(`${mailbox.url}/failure`)).json();
    await mailbox.setFailure('none');
    expect(modes).toContain((set as { mode: string }).mode);
    await mailbox.send();
  });

  it('stays offline, and says so, while another process has taken the port', async () => {
    await mailbox.setFailure('offline');
    const holder = createServer().listen(Number(new URL(mailbox.smtpUrl).port), '127.0.0.1');
    await once(holder, 'listening');
    expect((await mailbox.setFailure('none')).status).toBe(500);
    expect(await (await fetch(`${mailbox.url}/failure`)).json()).toEqual({ mode: 'offline' });
    holder.close();
    await once(holder, 'close');
    expect((await mailbox.setFailure('none')).status).toBe(200);
    await mailbox.send();
  });

  it.each([undefined, 'broken', 7, null])('refuses the mode %j, naming it', async (mode) => {
    const response = await mailbox.setFailure(mode);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining('mode') });
  });

  it('refuses a body that is no JSON', async () => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${mailbox.url}/failure`, { method: 'PUT', headers, body: '{' });
    expect(response.status).toBe(400);
  });
});

it('names MAILBOX_PORT where it is in use', async () => {
  const port = Number(new URL(mailbox.url).port);
  const second = createMailbox({ port, logger: quietLogger });
  await expect(second.start()).rejects.toMatchObject({ setting: 'MAILBOX_PORT' });
  await second.stop();
});
