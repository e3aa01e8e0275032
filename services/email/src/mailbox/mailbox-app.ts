import express, { type Express, type RequestHandler, type Response } from 'express';
import { answerMailboxErrors, BadRequest, noSuchPath } from './answer-errors.ts';
import { FAILURE_MODES, isFailureMode } from './failure-mode.ts';
import type { MailServer } from './mail-server.ts';
import type { MailStore } from './mail-store.ts';
import { renderPage } from './page.ts';
import { PAGE_SCRIPT, PAGE_STYLE } from './page-assets.ts';

/** What the mailbox's HTTP side shows and switches. */
export interface MailboxAppOptions {
  readonly store: MailStore;
  readonly server: Pick<MailServer, 'failure' | 'setFailure'>;
}

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** For the HTML body of a mail: nothing runs, nothing is fetched from anywhere, wherever it is opened. */
const BODY_POLICY =
  "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'";

/** The page at `/`, the mails at `/messages`, the switch at `/failure`. */
export function createMailboxApp({ store, server }: MailboxAppOptions): Express {
  const app = express();
  app.disable('x-powered-by').use(carefulHeaders);
  const revision = (): string => `${store.revision()} ${server.failure()}`;
  app.get('/', (_request, response) => {
    const state = { mails: store.list(), failure: server.failure(), revision: revision() };
    response.type('html').send(renderPage(state));
  });
  app.get('/mailbox.css', (_request, response) => void response.type('css').send(PAGE_STYLE));
  app.get('/mailbox.js', (_request, response) => void response.type('js').send(PAGE_SCRIPT));
  app.get('/revision', (_request, response) => void response.json({ revision: revision() }));
  addMessages(app, store);
  addFailure(app, server);
  app.use(noSuchPath, answerMailboxErrors);
  return app;
}

const carefulHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    'Content-Security-Policy': PAGE_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  });
  next();
};

function addMessages(app: Express, store: MailStore): void {
  app.get('/messages', (_request, response) => void response.json(store.list()));
  app.delete('/messages', (_request, response) => {
    store.clear();
    response.status(204).end();
  });
  app.get('/messages/:id/html', (request, response, next) => {
    const html = store.find(request.params.id)?.html;
    if (html) sendHtmlBody(response, html);
    else next();
  });
}

function sendHtmlBody(response: Response, html: string): void {
  response.set('Content-Security-Policy', BODY_POLICY).type('html').send(html);
}

function addFailure(app: Express, server: MailboxAppOptions['server']): void {
  app.get('/failure', (_request, response) => void response.json({ mode: server.failure() }));
  app.put('/failure', express.json({ limit: 1_024 }), async (request, response) => {
    const mode: unknown = (request.body as { mode?: unknown } | undefined)?.mode;
    if (!isFailureMode(mode)) {
      throw new BadRequest(`mode: expected one of ${FAILURE_MODES.join(', ')}, as JSON`);
    }
    await server.setFailure(mode);
    response.json({ mode });
  });
}
