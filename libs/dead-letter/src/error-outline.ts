import { REDACTED } from '@warren/contracts';

/** Class and code, as an error's first line begins with them, and after a word of the kit's that of an earlier one or a cause. */
const TITLE =
  /^( *(?:attempt \d+: |caused by )?)([\p{L}_$][\p{L}\p{N}_$.]{0,99}(?: \[\w{1,60}\])?)(?=: |$)/u;
const FRAME = /^\s+at (?:async )?(?:.* \()?\S+:\d+\)?$/;

/** An error's text (`x-error`) without its messages: attempts, classes, codes and frames of its stack. */
export function errorOutline(error: string): string {
  return error.split('\n').flatMap(outlineOf).join('\n');
}

/** A line that is neither is one more of the message before it. */
function outlineOf(line: string, at: number): string[] {
  if (FRAME.test(line)) return [line];
  const [title, word] = TITLE.exec(line) ?? [];
  if (title !== undefined && (at === 0 || word?.trim())) {
    return [title === line ? line : `${title}: ${REDACTED}`];
  }
  return at === 0 ? [REDACTED] : [];
}
