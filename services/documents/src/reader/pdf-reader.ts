import { Worker } from 'node:worker_threads';
import { NonRetryableError } from '@warren/contracts';
import type { ReportProgress } from '../domain/analysis.ts';

export interface PdfReaderOptions {
  /** For one document. */
  readonly timeoutMs: number;
  readonly maxPages?: number;
  /** Of the thread that reads one document, for what it makes of the document. */
  readonly maxHeapBytes?: number;
  /** That one document may unpack to, counted over its whole reading. */
  readonly maxDecodedBytes?: number;
}

/** A document on disk, and what its bytes have to be. */
export interface DocumentFile {
  readonly path: string;
  readonly sha256: string;
}

export interface PdfContent {
  readonly pages: number;
  readonly words: number;
}

/**
 * Counts what is in a PDF.
 * @throws NonRetryableError that says what is wrong with the document; the signal's reason
 */
export type ReadPdf = (
  file: DocumentFile,
  signal: AbortSignal,
  progress: ReportProgress,
) => Promise<PdfContent>;

type Message =
  | { readonly kind: 'page'; readonly number: number; readonly pages: number }
  | { readonly kind: 'refused'; readonly problem: string }
  | ({ readonly kind: 'done' } & PdfContent);

const MIB = 1024 * 1024;
const WORKER = new URL('./pdf-worker.mjs', import.meta.url);
const MAX_PAGES = 10_000;
const MAX_HEAP_BYTES = 256 * MIB;
const MAX_DECODED_BYTES = 1_024 * MIB;

/**
 * Reads each document in a thread of its own, which is ended when its time, its memory or the patience of whoever asked is
 * over: a PDF is a program for its reader, and comes from anywhere.
 */
export function createPdfReader(options: PdfReaderOptions): ReadPdf {
  const { timeoutMs } = options;
  return async (file, signal, progress) => {
    signal.throwIfAborted();
    const deadline = AbortSignal.timeout(timeoutMs);
    const worker = startWorker(file, options);
    try {
      return await contentOf(worker, AbortSignal.any([signal, deadline]), progress);
    } catch (error) {
      signal.throwIfAborted();
      throw deadline.aborted ? refusal(`took longer than ${timeoutMs} ms to read`) : error;
    } finally {
      await worker.terminate();
    }
  };
}

function startWorker(file: DocumentFile, options: PdfReaderOptions): Worker {
  const { maxPages = MAX_PAGES, maxDecodedBytes = MAX_DECODED_BYTES } = options;
  const { maxHeapBytes = MAX_HEAP_BYTES } = options;
  const worker = new Worker(WORKER, {
    workerData: { ...file, maxPages, maxDecodedBytes },
    // Nothing of this process is its business, and it does without what loads TypeScript.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapBytes / MIB, maxYoungGenerationSizeMb: 32 },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}

function contentOf(
  worker: Worker,
  signal: AbortSignal,
  progress: ReportProgress,
): Promise<PdfContent> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    worker.on('message', (message: Message) => {
      if (message.kind === 'refused') reject(refusal(message.problem));
      else if (message.kind === 'done') resolve({ pages: message.pages, words: message.words });
      else progress(message.number / message.pages, `page ${message.number} of ${message.pages}`);
    });
    worker.once('error', (error) => reject(failureOf(error)));
    // Nothing was left to wait for: pdf.js lost its way in the document.
    worker.once('exit', () => reject(refusal('cannot be read: its reading comes to no end')));
  });
}

function failureOf(error: Error): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return refusal('needs too much memory to read');
  return code === 'ENOENT' ? new Error('the document is not on disk any more') : error;
}

function refusal(problem: string): NonRetryableError {
  return new NonRetryableError(`the document ${problem}`);
}
