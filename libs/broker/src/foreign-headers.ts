import { HEADERS } from '@warren/contracts';

type Headers = Readonly<Record<string, unknown>>;

/** Written by the kit itself, anew at each move. */
const OWN: ReadonlySet<string> = new Set(Object.values(HEADERS));

/** Written by the broker. A copied `x-death` can make it drop the message (measured on 3.10). */
const BROKER_OWNED =
  /^(x-death|x-first-death-.*|x-last-death-.*|x-delivery-count|x-acquired-count|x-stream-.*|x-opt-.*|cc|bcc)$/i;

const MAX_HEADERS = 50;
const MAX_BYTES = 16_384;

/** The publisher's own headers, as a handler may see them: not the kit's, not the broker's. */
export function foreignHeaders(headers: Headers | undefined): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (!OWN.has(name) && !BROKER_OWNED.test(name)) kept[name] = value;
  }
  return kept;
}

/** Those of `foreignHeaders` that fit a bound, for a copy of the message; in their order, the rest is left out. */
export function portableHeaders(headers: Headers | undefined): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  let bytes = 0;
  for (const [name, value] of Object.entries(foreignHeaders(headers)).slice(0, MAX_HEADERS)) {
    bytes += Buffer.byteLength(name) + sizeOf(value);
    if (bytes > MAX_BYTES) break;
    kept[name] = value;
  }
  return kept;
}

function sizeOf(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value) ?? '');
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
