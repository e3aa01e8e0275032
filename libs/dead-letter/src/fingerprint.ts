import { createHash } from 'node:crypto';

/** What of an error says whether two are the same trouble. */
export interface Fingerprint {
  /** Twelve hexadecimal digits, the same for the same trouble in every build and on every machine. */
  readonly fingerprint: string;
  /** Class of the last failure, with its code where it has one, such as `TypeError` or `Error [ECONNREFUSED]`. */
  readonly errorClass: string | undefined;
  /** First line of the last failure, without the number of its attempt. */
  readonly headline: string | undefined;
}

const ATTEMPT = /^attempt \d+: /;
const TITLE = /^((?:[\p{L}_$][\p{L}\p{N}_$.-]{0,99})(?: \[[^\]\n]{1,60}\])?)(?:: |$)/u;
const MAX_FRAMES = 12;
const MAX_CHARS = 8_192;

/** What a build adds to a path, or takes away from it. */
const BUILD_FOLDERS = new Set(['src', 'dist', 'build', 'out', 'lib', 'esm', 'cjs', '.', '']);
/** Where the kit calls a handler: what stands below is its own, the same for every error, and may change with its version. */
const CALLER = /@(worker\/run-handler|telemetry\/log-capture)$/;
/** Folder and file: what is above depends on where it was installed. */
const KEPT_SEGMENTS = 2;

/**
 * The fingerprint of an `x-error` text. Made of the class and of our own frames of the stack (neither the runtime's nor
 * those of packages, nor what called the handler), as function and file: no lines, no columns, no folders of a build or a
 * machine. Where there are no such frames, the message takes their place, with ids, addresses and numbers folded. Without
 * an error: of the reason.
 */
export function fingerprintOf(error: string | undefined, reason?: string): Fingerprint {
  if (error === undefined) {
    return {
      fingerprint: hash('reason', reason ?? ''),
      errorClass: undefined,
      headline: undefined,
    };
  }
  const lines = lastFailure(error.slice(0, MAX_CHARS));
  const headline = (lines[0] ?? '').replace(ATTEMPT, '');
  const errorClass = TITLE.exec(headline)?.[1];
  const frames = ownFrames(lines.slice(1));
  const where = frames.length > 0 ? frames : [folded(headline)];
  return { fingerprint: hash(errorClass ?? '', ...where), errorClass, headline };
}

/** Earlier failures stand behind it, a line each. */
function lastFailure(error: string): string[] {
  const [first = '', ...rest] = error.split('\n');
  const next = rest.findIndex((line) => ATTEMPT.test(line));
  return [first, ...(next < 0 ? rest : rest.slice(0, next))];
}

function ownFrames(lines: readonly string[]): string[] {
  const frames = lines.flatMap(frameOf);
  const caller = frames.findIndex((frame) => CALLER.test(frame));
  return frames.slice(0, Math.min(caller < 0 ? frames.length : caller, MAX_FRAMES));
}

/** None for what is no frame, or not of our own code. */
function frameOf(line: string): string[] {
  const text = line.trim();
  if (!text.startsWith('at ')) return [];
  const [, call = '', place = ''] = /^at (?:async )?(?:(.*?) \()?([^()]*)\)?$/.exec(text) ?? [];
  if (
    place === '' ||
    /^node:|[\\/]node_modules[\\/]|^native$|^<anonymous>$|^internal\//.test(place)
  ) {
    return [];
  }
  return [`${functionName(call)}@${fileName(place)}`];
}

function functionName(call: string): string {
  return call
    .replace(/ \[as [^\]]*\]/, '')
    .replace(/\$?\d+/g, '')
    .trim();
}

function fileName(place: string): string {
  const path = place
    .replace(/(:\d+){1,2}$/, '')
    .replace(/[?#].*$/, '')
    .replace(/^[a-z]+:\/\//i, '');
  const segments = path.split(/[\\/]/).filter((segment) => !BUILD_FOLDERS.has(segment));
  const file = (segments.pop() ?? '')
    .replace(/\.[cm]?[jt]sx?$/, '')
    .replace(/[-.][\da-f]{8,}$/i, '');
  return [...segments.slice(1 - KEPT_SEGMENTS), file].join('/');
}

/** A message without what differs from job to job. */
export function folded(message: string): string {
  return message
    .replace(/[^\s<>@"']+@[^\s<>@"']+\.[\p{L}\d-]+/gu, '<address>')
    .replace(/\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/gi, '<id>')
    .replace(/\b(?=[a-z_]*\d)(?=\d*[a-z_])[\da-z_]{16,}\b/gi, '<id>')
    .replace(/\b(?:0x)?(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{6,}\b/gi, '<id>')
    .replace(/\d+/g, '<n>');
}

function hash(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
}
