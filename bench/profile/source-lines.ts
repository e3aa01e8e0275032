import { findSourceMap, type SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Where a function begins. */
interface Place {
  readonly url: string;
  /** From 0. */
  readonly lineNumber: number;
  /** From 0. */
  readonly columnNumber: number;
}

/** Node reads a map anew each time that it is asked for. */
const maps = new Map<string, SourceMap | undefined>();

/**
 * The place in the source as it was written: what runs has it on one line. To be called in the process that ran it; what has no
 * map stays as it is.
 */
export function toSourceLines<Frame extends Place>(frame: Frame): Frame {
  const { url, lineNumber, columnNumber } = frame;
  if (!url.startsWith('file:')) return frame;
  if (!maps.has(url)) maps.set(url, findSourceMap(url) ?? findSourceMap(fileURLToPath(url)));
  const origin = maps.get(url)?.findEntry(lineNumber, columnNumber);
  if (!origin || !('originalLine' in origin)) return frame;
  return { ...frame, lineNumber: origin.originalLine, columnNumber: origin.originalColumn };
}
