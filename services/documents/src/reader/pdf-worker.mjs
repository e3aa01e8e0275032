// One document in a thread of its own. Plain JavaScript: a thread that has to load TypeScript needs half a second more.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { getDocumentProxy } from 'unpdf';
import { countWords } from './count-words.mjs';
import { boundDecoding } from './decoding-budget.mjs';

const { path, sha256, maxPages, maxDecodedBytes } = workerData;
/** Silent: what pdf.js has to say about a document is not for our log. */
const QUIET = 0;

/** What is wrong with the document; anything else that fails is not its fault. */
class RefusedError extends Error {}

const bytes = await readFile(path);
const budget = boundDecoding(maxDecodedBytes);
// pdf.js leaves rejections of broken documents to nobody. What matters of them is in what `analyse` comes to.
process.on('unhandledRejection', () => undefined);
process.on('uncaughtException', refuse);
try {
  parentPort.postMessage({ kind: 'done', ...(await analyse()) });
} catch (error) {
  refuse(error);
}

function refuse(error) {
  parentPort.postMessage({ kind: 'refused', problem: problemOf(error) });
}

async function analyse() {
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
    throw new RefusedError('was damaged on disk: fetch it again');
  }
  // A copy: pdf.js takes the memory of what it is given.
  const options = { isEvalSupported: false, verbosity: QUIET };
  const pdf = await getDocumentProxy(new Uint8Array(bytes), options);
  const pages = pdf.numPages;
  if (pages === 0) throw new RefusedError('has no pages');
  if (pages > maxPages) throw new RefusedError(`has more than ${maxPages} pages`);
  let words = 0;
  for (let number = 1; number <= pages; number += 1) {
    words += await wordsOf(pdf, number);
    parentPort.postMessage({ kind: 'page', number, pages });
  }
  return { pages, words };
}

async function wordsOf(pdf, number) {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  // pdf.js gives up on a page that it cannot unpack, without a word.
  if (budget.isExceeded) throw new RefusedError('unpacks to too many bytes');
  return countWords(items.map(({ str = '', hasEOL }) => str + (hasEOL ? '\n' : '')).join(''));
}

function problemOf(error) {
  if (budget.isExceeded) return `unpacks to more than ${maxDecodedBytes} bytes`;
  if (error instanceof RefusedError) return error.message;
  if (error?.name === 'PasswordException') return 'is encrypted: it opens with a password only';
  return `cannot be read: it is damaged (${error?.name ?? 'unknown error'})`;
}
