import { type Jobs, OutboxRelay } from '@warren/client';
import type { JobDefinition } from '@warren/contracts';
import type { Store } from '@warren/store';
import type { Logger, Metrics } from '@warren/telemetry';
import { type AcceptJob, acceptByPublishing, type JobRequest } from './domain/accept-job.ts';
import type { AcceptBulk } from './domain/bulk-run.ts';
import { countRepeats } from './domain/count-repeats.ts';
import { acceptByOutbox } from './domain/outbox/accept-by-outbox.ts';
import { acceptEither, acceptUnique } from './domain/outbox/accept-unique.ts';
import { answerRepeats } from './domain/outbox/answer-repeats.ts';
import { StoreGate } from './domain/outbox/store-gate.ts';
import { tellFirst } from './domain/outbox/tell-first.ts';

/** How jobs are taken over. */
export interface Acceptance {
  readonly accept: AcceptJob;
  readonly acceptBulk: AcceptBulk;
  /** Whether keys are remembered. */
  readonly takesKeys: boolean;
  /** What is known of the store: `ok`, or what is wrong. Undefined where there is none. */
  storeCheck(): string | undefined;
  /** Waits for what is on its way, at most so long. */
  close(graceMs: number): Promise<void>;
}

/** What it is made of. */
interface AcceptanceDeps {
  readonly jobs: Jobs;
  readonly store?: Store | undefined;
  /** The job types of the client. */
  readonly jobTypes: readonly JobDefinition[];
  /** Whether what happens to jobs is told. */
  readonly hasHistory: boolean;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** How long a confirm may take. */
  readonly timeoutMs: number;
}

/** Jobs of one bulk request that wait for the broker at once. */
const PUBLISH_WINDOW = 1_000;
/** Jobs of one bulk request that wait for the store at once. */
const STORE_WINDOW = 2_000;
/** A store that takes longer than this is not waited for: jobs go to the broker directly. */
const STORE_TIMEOUT_MS = 3_000;
const SWEEP_MS = 1_000;
/** Jobs on their way from the store to the broker; more wait in the store. */
const MAX_IN_HAND = 10_000;
const MIN_LEASE_MS = 30_000;

/** Jobs are committed to the outbox where there is a store, and published at once where there is none. */
export function createAcceptance(deps: AcceptanceDeps): Acceptance {
  const { jobs, store, timeoutMs } = deps;
  if (store !== undefined) return throughOutbox(deps, store);
  const accept = acceptByPublishing(jobs, timeoutMs);
  return {
    accept,
    acceptBulk: { accept, window: PUBLISH_WINDOW, refusal: () => jobs.refusal() },
    takesKeys: false,
    storeCheck: () => undefined,
    close: async () => {},
  };
}

/** What the client takes: which requests are one job is the store's to say. */
function optionsOf({ correlationId, headers, delay, runAt, expiresIn, lane, id }: JobRequest) {
  return { id, correlationId, headers, delay, runAt, expiresIn, lane };
}

function throughOutbox(deps: AcceptanceDeps, store: Store): Acceptance {
  const { jobs, logger, metrics, timeoutMs } = deps;
  const gate = new StoreGate(store, logger);
  // Jobs that are accepted here are handed over at once; what it looks for is what others have left.
  const relay = new OutboxRelay({
    outbox: tellFirst(store.outbox, jobs),
    jobs,
    logger,
    metrics,
    pollMs: SWEEP_MS,
    maxInHand: MAX_IN_HAND,
    publishTimeoutMs: timeoutMs,
    leaseMs: Math.max(MIN_LEASE_MS, 2 * timeoutMs),
  });
  gate.start();
  const common = {
    outbox: store.outbox,
    relay,
    gate,
    service: 'gateway',
    storeTimeoutMs: STORE_TIMEOUT_MS,
  };
  const plain = acceptByOutbox({
    ...common,
    prepare: ({ type, payload, idempotency: _, ...options }) =>
      jobs.prepare(type, payload, options),
    send: (message) => jobs.send(message, timeoutMs),
  });
  const maxAges = new Map(deps.jobTypes.map(({ type, maxAgeMs }) => [type, maxAgeMs]));
  const unique = acceptUnique({
    ...common,
    prepare: (request) => jobs.prepareAnyway(request.type, request.payload, optionsOf(request)),
    maxAgeMsOf: (type) => maxAges.get(type) ?? 0,
    hasHistory: deps.hasHistory,
  });
  const either = acceptEither(
    answerRepeats(plain, (idempotency) => store.outbox.findKey(idempotency), STORE_TIMEOUT_MS),
    unique,
  );
  const accept = countRepeats(either, metrics, deps.jobTypes);
  return {
    accept,
    acceptBulk: {
      accept,
      window: STORE_WINDOW,
      refusal: () => (gate.problem === undefined ? undefined : jobs.refusal()),
    },
    takesKeys: true,
    storeCheck: () => gate.check,
    close: async (graceMs) => {
      gate.close();
      await relay.stop(graceMs);
    },
  };
}
