import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeHtml } from '../escape-html.ts';
import { renderPage } from './page.ts';

const EVIL = `"><img src=x onerror=alert(1)><script>alert('2')</script>&`;

describe('escapeHtml', () => {
  it('leaves no character that ends a text or an attribute, and loses nothing', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const escaped = escapeHtml(text);
        expect(escaped).not.toMatch(/[<>"']/);
        const back = escaped
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&quot;', '"')
          .replaceAll('&#39;', "'")
          .replaceAll('&amp;', '&');
        expect(back).toBe(text);
      }),
    );
  });
});

describe('renderPage', () => {
  it('escapes everything that came in a mail', () => {
    const page = renderPage({
      mails: [
        {
          id: EVIL,
          jobId: EVIL,
          messageId: EVIL,
          from: EVIL,
          to: EVIL,
          subject: EVIL,
          text: EVIL,
          html: EVIL,
          replyTo: null,
          attachments: [{ filename: EVIL, contentType: EVIL, sizeBytes: 1 }],
          receivedAt: EVIL,
        },
      ],
      failure: 'none',
      revision: EVIL,
    });
    expect(page).not.toContain('<img');
    expect(page).not.toContain('<script>');
    expect(page.match(/&lt;img/g)).toHaveLength(9);
    expect(page).toContain('<iframe sandbox src="/messages/');
  });

  it('shows which way the mail server is set to fail', () => {
    const page = renderPage({ mails: [], failure: 'offline', revision: '0' });
    expect(page.match(/aria-pressed="true"/g)).toHaveLength(1);
    expect(page).toContain('data-mode="offline" aria-pressed="true"');
  });
});
