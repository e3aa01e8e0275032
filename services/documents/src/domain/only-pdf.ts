import { NonRetryableError } from '@warren/contracts';

const MAGIC = '%PDF-';
/** Readers of PDF accept so much before the first line. */
const HEAD_BYTES = 1_024;

/**
 * Passes on the bytes of a PDF as they come, the first ones once they have shown that it is one.
 * @throws NonRetryableError for what is empty, no PDF, or larger than `maxBytes`; as `source` does
 */
export async function* onlyPdf(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let head: Buffer | undefined = Buffer.alloc(0);
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < HEAD_BYTES) continue;
    yield checkHead(head);
    head = undefined;
  }
  if (head) yield checkHead(head);
}

/** What is said of a document that is too large, whether its server said so or it turned out to be. */
export function tooLarge(maxBytes: number): NonRetryableError {
  return new NonRetryableError(
    `download: the document is larger than ${maxBytes} bytes (DOCUMENT_MAX_BYTES)`,
  );
}

function checkHead(head: Buffer): Buffer {
  if (head.length === 0) throw new NonRetryableError('download: the document is empty');
  if (head.subarray(0, HEAD_BYTES).includes(MAGIC, 0, 'latin1')) return head;
  throw new NonRetryableError('download: the document is not a PDF');
}
