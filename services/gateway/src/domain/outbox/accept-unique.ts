import type { OutgoingMessage } from '@warren/broker';
import type { OutboxRelay } from '@warren/client';
import {
  OptionNeedsStoreError,
  type QueueFullError,
  StoreUnavailableError,
} from '@warren/contracts';
import {
  GroupCommit,
  type UniqueAcceptance,
  type UniquelyAccepted,
  type UniqueOutbox,
} from '@warren/store';
import type { AcceptedJob, AcceptJob, JobRequest } from '../accept-job.ts';
import { OutboxFullError } from './acceptance-errors.ts';
import { acceptanceOf } from './acceptance-of.ts';
import { inTime, isStoreAway } from './in-time.ts';
import type { StoreGate } from './store-gate.ts';
import { uniquenessOf, uniqueOptionOf } from './uniqueness-of.ts';

/** A job's message, and why no new job may be made of it now, if so. */
export interface Prepared {
  readonly message: OutgoingMessage;
  /** Asked for when it is refused for that. */
  readonly refuse?: (() => QueueFullError) | undefined;
}

/** What it needs. */
export interface UniqueAcceptOptions {
  readonly outbox: Pick<UniqueOutbox, 'acceptUnique'>;
  readonly relay: Pick<OutboxRelay, 'handOver' | 'leaseMs'>;
  readonly gate: Pick<StoreGate, 'problem' | 'shut'>;
  /** Or what is wrong with the job. */
  readonly prepare: (request: JobRequest) => Promise<Prepared>;
  /** How long a job of this type is under way at most. */
  readonly maxAgeMsOf: (type: string) => number;
  /** Whether anybody tells when a job has ended. */
  readonly hasHistory: boolean;
  readonly service: string;
  readonly storeTimeoutMs: number;
}

const MAX_GROUP = 200;
const MAX_GROUP_BYTES = 4 * 1024 * 1024;

/**
 * Accepts jobs of which some requests are one: the store decides. While it is away they are refused, since nobody could
 * tell. Requests of one moment are one transaction.
 */
export function acceptUnique(options: UniqueAcceptOptions): AcceptJob {
  const { gate, hasHistory, maxAgeMsOf, prepare, service } = options;
  const commits = new GroupCommit<UniqueAcceptance, UniquelyAccepted>({
    commit: (jobs) => commit(jobs, options),
    maxItems: MAX_GROUP,
    maxBytes: MAX_GROUP_BYTES,
    bytesOf: ({ message }) => message.body.length,
  });
  return async (request) => {
    if (request.unique !== undefined && !hasHistory) {
      throw new OptionNeedsStoreError('unique', 'needs the history, and WARREN_HISTORY is off');
    }
    const { message, refuse } = await prepare(request);
    const uniqueness = uniquenessOf(request, maxAgeMsOf(request.type));
    if (uniqueness === undefined) throw new TypeError('not a request for a unique job');
    if (gate.problem !== undefined) throw new StoreUnavailableError(gate.problem);
    const acceptance = acceptanceOf(message, request, service);
    const accepted = await commits.add({
      ...acceptance,
      uniqueness,
      ...(refuse && { knownOnly: true }),
    });
    return answerOf(accepted, refuse);
  };
}

/** Each request by what its options ask for. */
export function acceptEither(accept: AcceptJob, unique: AcceptJob): AcceptJob {
  return (request) => (uniqueOptionOf(request) === undefined ? accept(request) : unique(request));
}

/** What was committed too late runs all the same: whoever comes again with its key is told that it was accepted. */
async function commit(
  jobs: readonly UniqueAcceptance[],
  { outbox, relay, gate, storeTimeoutMs }: UniqueAcceptOptions,
): Promise<readonly UniquelyAccepted[]> {
  const { leaseMs } = relay;
  const written = outbox.acceptUnique(jobs, { leaseMs }).then((answers) => {
    answers.forEach(({ kind }, at) => {
      const { message, uniqueness } = jobs[at] as UniqueAcceptance;
      // What waits on purpose, relays find in the outbox when its time has come.
      if (kind !== 'accepted' || uniqueness.kind === 'debounce' || leaseMs <= 0) return;
      relay.handOver(message);
    });
    return answers;
  });
  try {
    return await inTime(written, storeTimeoutMs);
  } catch (error) {
    if (isStoreAway(error)) gate.shut(error.message);
    throw error;
  }
}

function answerOf(accepted: UniquelyAccepted, refuse: Prepared['refuse']): AcceptedJob {
  switch (accepted.kind) {
    case 'accepted':
      return { id: accepted.id };
    case 'duplicate':
      return { id: accepted.id, duplicate: true };
    case 'replaced':
      return { id: accepted.id, duplicate: true, replaced: true };
    case 'full':
      throw new OutboxFullError(accepted.pending);
    case 'refused':
      throw refuse?.() ?? new TypeError('refused, but nobody knows why');
  }
}
