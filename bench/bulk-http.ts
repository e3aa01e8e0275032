import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

const BATCH = 200;
const LINE_FEED = 0x0a;

/** Streams one line `count` times to the gateway, and resolves when every one is answered as accepted. */
export async function postStream(gatewayUrl: string, line: string, count: number): Promise<void> {
  const headers = { 'content-type': 'application/x-ndjson' };
  const sent = request(`${gatewayUrl}/v1/jobs/bulk`, { method: 'POST', headers });
  const answered = readAnswer(sent);
  const batch = Buffer.from(`${line}\n`.repeat(BATCH));
  for (let from = 0; from < count; from += BATCH) {
    const part = count - from < BATCH ? `${line}\n`.repeat(count - from) : batch;
    if (!sent.write(part)) await once(sent, 'drain');
  }
  sent.end();
  const { lines, last } = await answered;
  const expected = JSON.stringify({ accepted: count, rejected: 0 });
  if (last !== expected || lines !== count + 1) throw new Error(`${lines} lines, at last ${last}`);
}

async function readAnswer(sent: NodeJS.EventEmitter): Promise<{ lines: number; last: string }> {
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  let lines = 0;
  let tail = '';
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1))
      lines += 1;
    tail = (tail + chunk.subarray(-200).toString()).slice(-400);
  }
  return { lines, last: tail.trimEnd().split('\n').at(-1) ?? '' };
}
