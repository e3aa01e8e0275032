import type { Readiness } from './service.ts';

/** The readiness of what has parts: ready when it and they are. What a part checks is shown behind the part's name. */
export function mergeReadiness(
  own: Readiness,
  parts: Readonly<Record<string, Readiness>>,
): Readiness {
  const checks: Record<string, string> = { ...own.checks };
  for (const [part, readiness] of Object.entries(parts)) {
    for (const [check, state] of Object.entries(readiness.checks)) {
      checks[`${part} ${check}`] = state;
    }
  }
  const ready = own.ready && Object.values(parts).every((part) => part.ready);
  return { ready, checks };
}
