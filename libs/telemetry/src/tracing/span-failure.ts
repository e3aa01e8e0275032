import { type Span, SpanStatusCode } from '@opentelemetry/api';
import { WarrenError } from '@warren/contracts';
import { sanitise } from '../sanitise.ts';

const MAX_TEXT_CHARS = 4_096;

/** Hides in a text what must not be told. */
export type Redact = (text: string) => string;

/**
 * Marks a span as failed, with the error as its event. Of an error only name, message and stack are told: libraries hang
 * requests and answers on theirs. Never throws.
 */
export function failSpan(span: Span, error: unknown, redact: Redact = (text) => text): void {
  const told = textsOf(error, redact);
  span.setStatus({ code: SpanStatusCode.ERROR, message: told.message });
  span.setAttribute('error.type', nameOf(error));
  span.recordException(told);
}

/** Of a closed set for Warren's own errors, else the error's class. */
function nameOf(error: unknown): string {
  if (error instanceof WarrenError) return error.code;
  return error instanceof Error && error.name !== '' ? error.name.slice(0, 100) : '_OTHER';
}

function textsOf(error: unknown, redact: Redact) {
  const copy = sanitise(error);
  if (typeof copy !== 'object' || copy === null)
    return { name: '_OTHER', message: text(copy, redact) };
  const { type, message, stack } = copy as Record<string, unknown>;
  return {
    name: text(type ?? '_OTHER', redact),
    message: text(message ?? '', redact),
    ...(typeof stack === 'string' && { stack: text(stack, redact) }),
  };
}

function text(value: unknown, redact: Redact): string {
  return redact(String(value)).slice(0, MAX_TEXT_CHARS);
}
