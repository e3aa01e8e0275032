import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express from 'express';

/** What an HTTP API costs that does nothing: a body is parsed, an id is made, 202 is answered. */
const app = express();
app.post('/v1/jobs', express.json(), (request, response) => {
  const { type } = request.body as { type: string };
  response.status(202).json({ id: randomUUID(), type, state: 'accepted' });
});
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
