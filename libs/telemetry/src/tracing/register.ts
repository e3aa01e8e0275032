import {
  type ContextManager,
  context,
  DiagLogLevel,
  diag,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';

/** What an SDK of OpenTelemetry makes. */
export interface TracingSdk {
  readonly provider: TracerProvider;
  readonly contextManager: ContextManager;
  /** Is told what goes wrong in the SDK, such as a collector that is away. */
  onProblem(problem: string): void;
}

/** Has spans collected from now on. Returns how to end that; undefined where somebody else collects them already. */
export function registerTracing(sdk: TracingSdk): (() => void) | undefined {
  const { provider, contextManager, onProblem } = sdk;
  if (!trace.setGlobalTracerProvider(provider)) return undefined;
  context.setGlobalContextManager(contextManager);
  const tell = (message: string) => onProblem(problemOf(message));
  const ignore = () => {};
  const logger = { error: tell, warn: tell, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  return () => {
    trace.disable();
    context.disable();
    diag.disable();
  };
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
