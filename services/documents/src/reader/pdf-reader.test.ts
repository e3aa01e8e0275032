import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NonRetryableError } from '@warren/contracts';
import { afterAll, describe, expect, it } from 'vitest';
import type { ReportProgress } from '../domain/analysis.ts';
import { damagedPdf, encryptedPdf, pdfOf, pdfWithContent, rawPdf } from '../fixtures/pdfs.ts';
import { createPdfReader, type DocumentFile, type PdfReaderOptions } from './pdf-reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'warren-reader-'));
afterAll(() => rmSync(folder, { recursive: true }));
const MIB = 1024 * 1024;

function fileOf(bytes: Uint8Array) {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const path = join(folder, sha256);
  writeFileSync(path, bytes);
  return { path, sha256 };
}

interface ReadDeps {
  readonly file?: DocumentFile;
  readonly signal?: AbortSignal;
  readonly progress?: ReportProgress;
}

function read(bytes: Uint8Array, options: Partial<PdfReaderOptions> = {}, deps: ReadDeps = {}) {
  const { file = fileOf(bytes), progress = () => undefined } = deps;
  const { signal = new AbortController().signal } = deps;
  return createPdfReader({ timeoutMs: 15_000, ...options })(file, signal, progress);
}

const endless = () => pdfWithContent(Buffer.alloc(30 * MIB, '(a) Tj '));

describe('the reader of PDFs', () => {
  it('counts pages and words, and tells of each page', async () => {
    const seen: [number, string?][] = [];
    const pdf = await pdfOf('One, two and three.', '', 'Four - it is 5');
    const progress = (...report: [number, string?]) => void seen.push(report);
    expect(await read(pdf, {}, { progress })).toEqual({ pages: 3, words: 8 });
    expect(seen).toEqual([
      [1 / 3, 'page 1 of 3'],
      [2 / 3, 'page 2 of 3'],
      [1, 'page 3 of 3'],
    ]);
  });

  it('refuses what is no whole PDF, and says so', async () => {
    const refused = (bytes: Uint8Array, problem: string | RegExp) =>
      expect(read(bytes)).rejects.toThrow(problem);
    await refused(Buffer.from('%PDF-1.7\nrubbish'), /^the document cannot be read: /);
    await refused(Buffer.alloc(0), /^the document cannot be read: /);
    await refused(encryptedPdf(), 'the document is encrypted: it opens with a password only');
  });

  it('counts what is left of a damaged one', async () => {
    expect(await read(await damagedPdf())).toMatchObject({ pages: 1 });
  });

  it('refuses more pages than it is to read', async () => {
    const reading = read(await pdfOf('a', 'b', 'c'), { maxPages: 2 });
    await expect(reading).rejects.toThrow('the document has more than 2 pages');
    await expect(reading).rejects.toBeInstanceOf(NonRetryableError);
  });

  it('refuses what was damaged on disk', async () => {
    const file = { ...fileOf(await pdfOf('a')), sha256: '0'.repeat(64) };
    await expect(read(Buffer.alloc(0), {}, { file })).rejects.toThrow('damaged on disk');
  });

  it('refuses what unpacks to too much', async () => {
    const pdf = await pdfWithContent(Buffer.alloc(40 * MIB, ' '));
    expect(pdf.length).toBeLessThan(MIB);
    const reading = read(pdf, { maxDecodedBytes: 16 * MIB });
    await expect(reading).rejects.toThrow(`unpacks to more than ${16 * MIB} bytes`);
  });

  it('refuses what needs too much memory', async () => {
    const bytes = rawPdf({ page: `/X[${'<<>>'.repeat(400_000)}]` });
    await expect(read(rawPdf(), { maxHeapBytes: 24 * MIB })).resolves.toEqual({
      pages: 1,
      words: 0,
    });
    const reading = read(bytes, { maxHeapBytes: 24 * MIB });
    await expect(reading).rejects.toThrow('needs too much memory');
  });

  it('ends a reading that takes too long, and one that nobody waits for any more', async () => {
    const pdf = await endless();
    await expect(read(pdf, { timeoutMs: 300 })).rejects.toThrow('took longer than 300 ms');
    const controller = new AbortController();
    const reading = read(pdf, {}, { signal: controller.signal });
    controller.abort(new Error('stop'));
    await expect(reading).rejects.toThrow('stop');
  });
});
