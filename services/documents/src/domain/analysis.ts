/** What is known of a document by its bytes. */
export interface KeptDocument {
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Result of `document.analyse`. */
export interface Analysis extends KeptDocument {
  readonly pages: number;
  readonly words: number;
}

/** Tells how much of a job is done; `fraction` from 0 to 1. */
export type ReportProgress = (fraction: number, message?: string) => void;

/** Of what is written down: what an older version found is found anew. */
const VERSION = 1;

/** The text that keeps an analysis. Without one it says that there was nothing to find. */
export function writeAnalysis(analysis?: Analysis): string {
  return JSON.stringify({ v: VERSION, ...analysis });
}

/** The analysis in such a text; undefined where there is none that can be used. */
export function readAnalysis(text: string): Analysis | undefined {
  const { v, pages, words, sha256, sizeBytes } = parse(text);
  const isWhole = [pages, words, sizeBytes].every(Number.isSafeInteger);
  if (v !== VERSION || !isWhole || typeof sha256 !== 'string') return undefined;
  return { pages, words, sha256, sizeBytes } as Analysis;
}

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
