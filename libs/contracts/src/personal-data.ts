import { REDACTED, redactPayload } from './redact.ts';

/** Shorter texts occur by chance: hiding them would garble what has nothing to do with them. */
const MIN_LENGTH = 3;
/** The same of a line of a longer text. */
const MIN_LINE_LENGTH = 8;
const MAX_VALUES = 1_000;

/** Hides personal data of one payload in texts that were made from it: lines, progress, errors. */
export type Redact = (text: string) => string;

/** What hides the values at `paths` (as from `piiPathsOf`) of a payload. Undefined where there are none. */
export function redactorOf(payload: unknown, paths: readonly string[] = []): Redact | undefined {
  if (paths.length === 0) return undefined;
  let values: readonly string[] | undefined;
  return (text) => {
    values ??= valuesAt(payload, paths);
    let shown = text;
    for (const value of values) shown = shown.replaceAll(value, REDACTED);
    return shown;
  };
}

/** The longest first: one may be part of another. */
function valuesAt(payload: unknown, paths: readonly string[]): string[] {
  const found = new Set<string>();
  collectChanged(payload, redactPayload(payload, paths), found);
  const forms = new Set([...found].flatMap(formsOf));
  return [...forms].sort((one, other) => other.length - one.length);
}

/** A value as texts may have it: as it is, within JSON, indented as in `x-error`, or no more than a line of it. */
function formsOf(value: string): string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  if (!value.includes('\n')) return inJson === value ? [value] : [value, inJson];
  const lines = value.split('\n').map((line) => line.trim());
  const indented = value.replaceAll('\n', '\n    ');
  return [value, inJson, indented, ...lines.filter((line) => line.length >= MIN_LINE_LENGTH)];
}

function collectChanged(value: unknown, redacted: unknown, found: Set<string>): void {
  if (Object.is(value, redacted) || found.size >= MAX_VALUES) return;
  if (redacted === REDACTED) {
    collectTexts(value, found);
    return;
  }
  for (const [key, child] of Object.entries(value as object)) {
    collectChanged(child, (redacted as Record<string, unknown>)[key], found);
  }
}

function collectTexts(value: unknown, found: Set<string>): void {
  if (found.size >= MAX_VALUES) return;
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) collectTexts(child, found);
    return;
  }
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return;
  const text = String(value);
  if (text.length >= MIN_LENGTH) found.add(text);
}
