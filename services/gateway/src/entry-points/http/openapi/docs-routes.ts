import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { Response } from 'express';
import type { GuardOptions } from '../auth/guard.ts';
import { HttpError } from '../http-error.ts';
import type { Route } from '../route.ts';
import { UNFORESEEN } from '../route-errors.ts';
import { DOCS_PAGE, DOCS_SCRIPT } from './docs-page.ts';
import { type Catalog, openApiDocument } from './document.ts';

const require = createRequire(import.meta.url);
const viewer = dirname(require.resolve('swagger-ui-dist/package.json'));
const VIEWER_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];
const SCRIPT = 'start.js';

/** `/openapi.json` describes the given routes and these; `/docs` shows it, with nothing from the network. */
export function docsRoutes(
  routes: readonly Route[],
  catalog: Catalog,
  guarded: GuardOptions,
): Route[] {
  const own: Route[] = [documentRoute(() => text), pageRoute, fileRoute];
  const text: string = JSON.stringify(openApiDocument([...routes, ...own], catalog, guarded));
  return own;
}

function documentRoute(text: () => string): Route {
  return {
    method: 'get',
    path: '/openapi.json',
    handle: (_request, response) => {
      response.type('application/json').send(text());
    },
    doc: {
      operationId: 'getOpenApi',
      tag: 'documentation',
      summary: 'This document',
      responses: { 200: answer('An OpenAPI 3.1 document.', 'application/json', 'object') },
      errors: UNFORESEEN,
    },
  };
}

const pageRoute: Route = {
  method: 'get',
  path: '/docs',
  handle: (_request, response) => {
    response.type('html').send(DOCS_PAGE);
  },
  doc: {
    operationId: 'getDocs',
    tag: 'documentation',
    summary: 'This document, for people',
    responses: { 200: answer('A page that shows the document.', 'text/html', 'string') },
    errors: UNFORESEEN,
  },
};

const fileRoute: Route = {
  method: 'get',
  path: '/docs/:file',
  handle: (request, response) => sendFile(String(request.params['file']), response),
  doc: {
    operationId: 'getDocsFile',
    tag: 'documentation',
    summary: 'What the page is made of',
    parameters: [
      {
        name: 'file',
        in: 'path',
        required: true,
        schema: { type: 'string', enum: [SCRIPT, ...VIEWER_FILES] },
      },
    ],
    responses: { 200: { description: 'Script, style or icon.', content: { '*/*': {} } } },
    errors: { 400: ['BAD_REQUEST'], 404: ['NOT_FOUND'], ...UNFORESEEN },
  },
};

function answer(description: string, mediaType: string, type: string) {
  return { description, content: { [mediaType]: { schema: { type } } } };
}

function sendFile(file: string, response: Response): void | Promise<void> {
  response.set('Cache-Control', 'no-cache');
  if (file === SCRIPT) {
    response.type('text/javascript').send(DOCS_SCRIPT);
    return;
  }
  if (!VIEWER_FILES.includes(file)) {
    throw new HttpError(404, `no such resource: /docs/${file.slice(0, 200)}`, {
      code: 'NOT_FOUND',
    });
  }
  return new Promise((resolve, reject) => {
    response.sendFile(file, { root: viewer, cacheControl: false }, (error?: Error) => {
      if (error && !response.headersSent) reject(error);
      else resolve();
    });
  });
}
