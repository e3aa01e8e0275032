/** The page of `/docs`. Script and style come from files: the content security policy allows none in the page itself. */
export const DOCS_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Warren: HTTP API</title>
    <link rel="icon" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="docs"></div>
    <noscript>The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** Shows the document. No validator: it would be asked over the network. */
export const DOCS_SCRIPT = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  validatorUrl: null,
});
`;
