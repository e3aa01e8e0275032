import { type MeterProvider, metrics } from '@opentelemetry/api';
import { hearSdkProblems } from '../sdk-problems.ts';

/** What an SDK of OpenTelemetry makes. */
export interface MeteringSdk {
  readonly provider: MeterProvider;
  /** Is told what goes wrong in the SDK, such as a collector that is away. */
  onProblem(problem: string): void;
}

/**
 * Has OpenTelemetry's metrics collected of the clients and workers that are made from now on. Returns how to end that; undefined
 * where somebody else collects them already.
 */
export function registerMetering({ provider, onProblem }: MeteringSdk): (() => void) | undefined {
  if (!metrics.setGlobalMeterProvider(provider)) return undefined;
  const stopHearing = hearSdkProblems(onProblem);
  return () => {
    metrics.disable();
    stopHearing();
  };
}
