/** What stands in place of a redacted value. */
export const REDACTED = '[redacted]';

/**
 * A copy of `payload` with the values at `paths` (as from `piiPathsOf`) replaced by `[redacted]`.
 * Never throws: a payload that cannot be read is redacted as a whole.
 */
export function redactPayload(payload: unknown, paths: readonly string[]): unknown {
  try {
    return paths.reduce((value, path) => redactAt(value, path ? path.split('.') : []), payload);
  } catch {
    return REDACTED;
  }
}

function redactAt(value: unknown, path: readonly string[]): unknown {
  if (path.length === 0) return value === undefined ? undefined : REDACTED;
  if (value === null || typeof value !== 'object') return value;
  return path[0] === '*' ? redactEach(value, path.slice(1)) : redactKey(value, path);
}

function redactEach(value: object, rest: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => redactAt(item, rest));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, redactAt(item, rest)]),
  );
}

/** A key may hold dots itself, so each beginning of the path is tried as one. */
function redactKey(value: object, path: readonly string[]): object {
  let copy = value as Record<string, unknown>;
  for (let end = 1; end <= path.length; end += 1) {
    const key = path.slice(0, end).join('.');
    if (Object.hasOwn(copy, key)) copy = { ...copy, [key]: redactAt(copy[key], path.slice(end)) };
  }
  return copy;
}

/** A copy of plain JSON values in which every text, number and name of a field has been through `redact`. */
export function redactTexts(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value === 'number' || typeof value === 'bigint') {
    const text = String(value);
    const shown = redact(text);
    return shown === text ? value : shown;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactTexts(item, redact));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redact(key), redactTexts(item, redact)]),
  );
}
