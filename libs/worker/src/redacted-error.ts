import { type Redact, redactTexts } from '@warren/contracts';

const MAX_DEPTH = 5;
const TEXTS = ['name', 'message', 'stack'];

/**
 * A copy of what a handler threw in which the payload's personal data is hidden, for whatever is told of it: of the same
 * class, with its texts, its causes, and those of its fields that are no objects. Never throws.
 */
export function redactedError(thrown: unknown, redact: Redact, depth = 0): unknown {
  try {
    if (!(thrown instanceof Error)) return redactTexts(thrown, redact);
    return depth > MAX_DEPTH ? new Error('[too deep]') : copyOf(thrown, redact, depth);
  } catch {
    return new Error('an error that cannot be read');
  }
}

function copyOf(error: Error, redact: Redact, depth: number): unknown {
  const names = new Set([...TEXTS, ...Object.keys(error), 'cause', 'errors']);
  const fields = [...names].flatMap((name) => {
    const value: unknown = Reflect.get(error, name);
    const shown = name === 'cause' || name === 'errors' ? causes(value, redact, depth) : value;
    if (shown === undefined || (shown === value && typeof value === 'object')) return [];
    const text = shown === value ? redactTexts(value, redact) : shown;
    return [[name, { value: text, enumerable: !TEXTS.includes(name), configurable: true }]];
  });
  return Object.create(
    Object.getPrototypeOf(error) as object,
    Object.fromEntries(fields) as PropertyDescriptorMap,
  );
}

/** Of an AggregateError there are many. */
function causes(value: unknown, redact: Redact, depth: number): unknown {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) return redactedError(value, redact, depth + 1);
  return value.map((one) => redactedError(one, redact, depth + 1));
}
