import { DiagLogLevel, diag } from '@opentelemetry/api';

type Listener = (problem: string) => void;

const listeners: Listener[] = [];

/**
 * Hears what goes wrong in OpenTelemetry's SDK. A problem does not say whether spans or metrics suffer from it, so of several
 * listeners the first is told. Returns how to hear no more.
 */
export function hearSdkProblems(listener: Listener): () => void {
  listeners.push(listener);
  if (listeners.length === 1) listen();
  return () => {
    const place = listeners.indexOf(listener);
    if (place >= 0) listeners.splice(place, 1);
    if (listeners.length === 0) diag.disable();
  };
}

function listen(): void {
  const tell = (message: string) => listeners[0]?.(problemOf(message));
  const ignore = () => {};
  const logger = { error: tell, warn: tell, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

/** The SDK tells of an error as JSON, with its stack. */
function problemOf(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    return typeof message === 'string' ? message : text;
  } catch {
    return text;
  }
}
