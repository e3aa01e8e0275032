import { escapeHtml } from '../escape-html.ts';
import { FAILURE_MODES, type FailureMode } from './failure-mode.ts';
import type { ReceivedAttachment, ReceivedMail } from './mail-store.ts';

export interface PageState {
  readonly mails: readonly ReceivedMail[];
  readonly failure: FailureMode;
  /** Names this state; the page reloads itself when there is another one. */
  readonly revision: string;
}

const LABELS: Readonly<Record<FailureMode, string>> = {
  none: 'works',
  temporary: 'fails for now (451)',
  permanent: 'fails for good (550)',
  offline: 'is offline',
};

/** The mailbox as a page for people. Everything that came in a mail is escaped. */
export function renderPage({ mails, failure, revision }: PageState): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<noscript><meta http-equiv="refresh" content="5"></noscript>
<title>(${mails.length}) Warren mailbox</title>
<link rel="stylesheet" href="/mailbox.css">
<script src="/mailbox.js" defer></script>
</head>
<body data-revision="${escapeHtml(revision)}">
<h1>Warren mailbox</h1>
<p>Mails that jobs sent. The mail server: ${FAILURE_MODES.map((mode) => modeButton(mode, failure)).join(' ')}
<button data-clear>delete all</button></p>
${mails.length > 0 ? mails.map(renderMail).join('\n') : '<p>No mails yet.</p>'}
</body>
</html>
`;
}

function modeButton(mode: FailureMode, current: FailureMode): string {
  return `<button data-mode="${mode}" aria-pressed="${mode === current}">${LABELS[mode]}</button>`;
}

function renderMail(mail: ReceivedMail): string {
  return `<article>
<h2>${escapeHtml(mail.subject) || '(no subject)'}</h2>
<dl>
<dt>to</dt><dd>${escapeHtml(mail.to)}</dd>
<dt>from</dt><dd>${escapeHtml(mail.from)}</dd>
<dt>time</dt><dd><time>${escapeHtml(mail.receivedAt)}</time></dd>
<dt>job</dt><dd>${escapeHtml(mail.jobId ?? 'none')}</dd>
${mail.attachments.map(renderAttachment).join('')}</dl>
${mail.text === null ? '' : `<pre>${escapeHtml(mail.text)}</pre>`}
${mail.html === null ? '' : renderHtmlBody(mail)}
</article>`;
}

function renderAttachment({ filename, contentType, sizeBytes }: ReceivedAttachment): string {
  const file = escapeHtml(`${filename} (${contentType}, ${sizeBytes} bytes)`);
  return `<dt>file</dt><dd>${file}</dd>\n`;
}

/** Scripts, forms and links to the outside do not work in there: sandbox here, and a policy of its own with the body. */
function renderHtmlBody(mail: ReceivedMail): string {
  const source = `/messages/${encodeURIComponent(mail.id)}/html`;
  return `<iframe sandbox src="${escapeHtml(source)}" title="HTML body" loading="lazy"></iframe>`;
}
