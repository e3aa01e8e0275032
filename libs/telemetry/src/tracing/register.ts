import { type ContextManager, context, type TracerProvider, trace } from '@opentelemetry/api';
import { hearSdkProblems } from '../sdk-problems.ts';
import { type Sampling, setSampling } from './tracer.ts';

/** What an SDK of OpenTelemetry makes. */
export interface TracingSdk {
  readonly provider: TracerProvider;
  readonly contextManager: ContextManager;
  /** Where its sampler is known. */
  readonly sampling?: Sampling;
  /** Is told what goes wrong in the SDK, such as a collector that is away. */
  onProblem(problem: string): void;
}

/** Has spans collected from now on. Returns how to end that; undefined where somebody else collects them already. */
export function registerTracing(sdk: TracingSdk): (() => void) | undefined {
  const { provider, contextManager, sampling, onProblem } = sdk;
  if (!trace.setGlobalTracerProvider(provider)) return undefined;
  context.setGlobalContextManager(contextManager);
  setSampling(sampling);
  const stopHearing = hearSdkProblems(onProblem);
  return () => {
    trace.disable();
    setSampling(undefined);
    context.disable();
    stopHearing();
  };
}
