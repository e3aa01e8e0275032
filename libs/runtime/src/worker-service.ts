import { createLifecycle } from './lifecycle.ts';
import { mergeReadiness } from './merge-readiness.ts';
import type { BreakerStates, Readiness, Service } from './service.ts';

/** What a service's worker is to it. */
export interface WorkerPart {
  start(): Promise<void>;
  stop(): Promise<void>;
  readiness(): Readiness;
  isHealthy(): boolean;
  breakers(): readonly BreakerStates[];
}

/** What handlers publish with. */
export interface PublisherPart {
  readiness(): Readiness;
  close(): Promise<void>;
}

/** What exists from start to stop. */
export interface WorkerParts {
  /** Started by the service once all parts are there. */
  worker?: WorkerPart;
  jobs?: PublisherPart;
}

export interface WorkerServiceOptions {
  /** Names the service in errors. */
  readonly name: string;
  readonly graceMs: number;
  /** Makes the parts, each put down as soon as it is there: a start that fails half-way leaves them to be closed. */
  readonly prepare: (parts: WorkerParts) => Promise<void>;
  /** Ends what the handlers used, once they have ended. */
  readonly close?: () => Promise<void>;
}

/**
 * A service that is a worker and what its handlers need. Its `start` resolves also while the broker is away: `ready` tells.
 * It rejects with what `prepare` throws.
 */
export function createWorkerService({
  name,
  graceMs,
  prepare,
  close,
}: WorkerServiceOptions): Service {
  const parts: WorkerParts = {};
  const lifecycle = createLifecycle({
    name,
    graceMs,
    start: async () => {
      await prepare(parts);
      await parts.worker?.start();
    },
    drain: async () => {
      await parts.worker?.stop();
      // Only now: handlers publish with it until they have ended.
      await parts.jobs?.close();
      await close?.();
    },
  });
  return {
    ...lifecycle,
    ready: () => readinessOf(parts),
    healthy: () => parts.worker?.isHealthy() ?? true,
    breakers: () => parts.worker?.breakers() ?? [],
  };
}

function readinessOf({ worker, jobs }: WorkerParts): Readiness {
  if (!worker) return { ready: false, checks: { worker: 'not started' } };
  return mergeReadiness(worker.readiness(), jobs ? { publish: jobs.readiness() } : {});
}
