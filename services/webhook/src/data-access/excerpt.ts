import type { IncomingMessage } from 'node:http';

/** Of what an endpoint answers, as a text. */
const EXCERPT_BYTES = 1_024;
/** As much is read, so that the connection can be kept; what answers with more loses it. */
const READ_BYTES = 16 * 1_024;

/**
 * The beginning of an answer's body: what came within the time and the bound. The rest is never read, and the connection is
 * given up with it. Never rejects: what the body does says nothing of the delivery any more.
 */
export async function excerptOf(answer: IncomingMessage, timeoutMs: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const timer = setTimeout(() => answer.destroy(), timeoutMs);
  try {
    for await (const chunk of answer as AsyncIterable<Uint8Array>) {
      if (bytes < EXCERPT_BYTES) chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > READ_BYTES) break;
    }
  } catch {
    // Cut off: what has come is told.
  } finally {
    clearTimeout(timer);
  }
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  return encoding === 'identity' ? textOf(Buffer.concat(chunks)) : '';
}

/** Without what a terminal would act on, and without half a letter at the end. */
function textOf(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.subarray(0, EXCERPT_BYTES), { stream: true });
  return text.replace(/[^\P{Cc}\n\t]/gu, '\ufffd');
}
