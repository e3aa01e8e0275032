import { MAX_ERROR_HEADER_BYTES } from '@warren/contracts';
import { causesOf, headlineOf, stackFramesOf } from './describe-error.ts';
import { cleanText, cutToBytes } from './plain-text.ts';

/** Room for the last failure; the rest is for the earlier ones. */
const LAST_FAILURE_BYTES = 3_072;

/** What is left of a failure once a later one follows it. */
const EARLIER_FAILURE_BYTES = 200;

/** How every failure begins. Lines within a failure are indented, so no message can pass for one. */
const FAILURE_LINE = /^attempt \d+: /;

/**
 * The text of the `x-error` header: the last failure with its causes and stack, then the earlier ones a line
 * each, newest first, as far as they fit. At most `MAX_ERROR_HEADER_BYTES` of valid UTF-8 with no control characters
 * but newline and tab. Never throws, whatever was thrown.
 * @param previous the header's text so far; lines that this function did not write are dropped
 * @param attempt number of the attempt that failed, from 1
 */
export function describeFailure(
  error: unknown,
  previous: string | undefined,
  attempt: number,
): string {
  const last = [
    `attempt ${attempt}: ${headlineOf(error)}`,
    ...causesOf(error).map((cause) => `caused by ${cause}`),
    ...stackFramesOf(error),
  ];
  const text = cutToBytes(indentAfterFirst(cleanText(last.join('\n'))), LAST_FAILURE_BYTES);
  return withEarlier(text, earlierFailures(previous));
}

function indentAfterFirst(text: string): string {
  return text.replace(/\n(?!$)/g, '\n    ').trimEnd();
}

function earlierFailures(previous: string | undefined): string[] {
  return cleanText(previous ?? '')
    .split('\n')
    .filter((line) => FAILURE_LINE.test(line))
    .map((line) => cutToBytes(line, EARLIER_FAILURE_BYTES));
}

function withEarlier(last: string, earlier: readonly string[]): string {
  const lines = [last];
  let bytes = Buffer.byteLength(last);
  for (const line of earlier) {
    bytes += 1 + Buffer.byteLength(line);
    if (bytes > MAX_ERROR_HEADER_BYTES) break;
    lines.push(line);
  }
  return lines.join('\n');
}
