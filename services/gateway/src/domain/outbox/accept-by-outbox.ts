import type { OutgoingMessage } from '@warren/broker';
import type { OutboxRelay } from '@warren/client';
import { StoreUnavailableError } from '@warren/contracts';
import { type Acceptance, type Accepted, GroupCommit, type Outbox } from '@warren/store';
import type { AcceptedJob, AcceptJob, JobRequest } from '../accept-job.ts';
import { IdempotencyConflictError, OutboxFullError } from './acceptance-errors.ts';
import { acceptanceOf } from './acceptance-of.ts';
import { inTime, isStoreAway } from './in-time.ts';
import { payloadHash } from './payload-hash.ts';
import type { StoreGate } from './store-gate.ts';

/** What accepting through the outbox needs. */
export interface OutboxAcceptOptions {
  readonly outbox: Pick<Outbox, 'accept'>;
  readonly relay: Pick<OutboxRelay, 'handOver' | 'forget' | 'leaseMs'>;
  readonly gate: Pick<StoreGate, 'problem' | 'shut'>;
  /** The message of a job, or what is wrong with the job. */
  readonly prepare: (request: JobRequest) => OutgoingMessage | Promise<OutgoingMessage>;
  /** Publishes a message at once. */
  readonly send: (message: OutgoingMessage) => Promise<unknown>;
  readonly service: string;
  /** How long the store may take before a job goes to the broker directly. */
  readonly storeTimeoutMs: number;
}

const MAX_GROUP = 500;
const MAX_GROUP_BYTES = 4 * 1024 * 1024;

/**
 * Accepts a job by committing it: durable means that the outbox has it, from where it is published at once, or as soon as
 * there is a broker. While the store is away a job is durable when the broker confirmed it; one with a key, whose
 * duplicates nobody could recognise then, is refused.
 */
export function acceptByOutbox(options: OutboxAcceptOptions): AcceptJob {
  const published = new WeakSet<Acceptance>();
  const commits = new GroupCommit<Acceptance, Accepted>({
    commit: (jobs) => commit(jobs, options, published),
    maxItems: MAX_GROUP,
    maxBytes: MAX_GROUP_BYTES,
    bytesOf: ({ message }) => message.body.length,
  });
  return async (request) => {
    const { gate, service } = options;
    const message = await options.prepare(request);
    if (gate.problem !== undefined) return directly(message, request, options, gate.problem);
    const acceptance = keyedAcceptanceOf(message, request, service);
    let accepted: Accepted;
    try {
      accepted = await commits.add(acceptance);
    } catch (error) {
      if (!isStoreAway(error)) throw error;
      const taken = await directly(message, request, options, error.message);
      published.add(acceptance);
      return taken;
    }
    return answerOf(accepted);
  };
}

/**
 * Commits a group, and hands over what is new in it.
 * @param published those that went to the broker another way, since the store was late
 */
async function commit(
  jobs: readonly Acceptance[],
  options: OutboxAcceptOptions,
  published: WeakSet<Acceptance>,
): Promise<readonly Accepted[]> {
  const { outbox, relay, gate, storeTimeoutMs } = options;
  const { leaseMs } = relay;
  let isLate = false;
  const written = outbox.accept(jobs, { leaseMs }).then((answers) => {
    answers.forEach(({ kind }, at) => {
      const job = jobs[at] as Acceptance;
      const { message, idempotency } = job;
      if (kind !== 'accepted') return;
      // Whoever comes again with the key is told that it was accepted.
      if (!isLate || idempotency !== undefined) {
        if (leaseMs > 0) relay.handOver(message);
        return;
      }
      // What the broker did not get stays, although its caller was told so: the row may be that of an earlier request with
      // the same id, which was accepted.
      if (published.has(job)) relay.forget(message.id);
    });
    return answers;
  });
  try {
    return await inTime(written, storeTimeoutMs);
  } catch (error) {
    isLate = true;
    if (isStoreAway(error)) gate.shut(error.message);
    throw error;
  }
}

/** As without a store. The outbox may have the job nevertheless, when its answer was lost: not for long, once it is sent. */
async function directly(
  message: OutgoingMessage,
  request: JobRequest,
  { send, relay }: OutboxAcceptOptions,
  problem: string,
): Promise<AcceptedJob> {
  const id = message.properties.messageId;
  if (request.idempotency !== undefined) throw new StoreUnavailableError(problem);
  await send(message);
  relay.forget(id);
  return { id };
}

function keyedAcceptanceOf(
  message: OutgoingMessage,
  request: JobRequest,
  service: string,
): Acceptance {
  const { type, payload, idempotency } = request;
  const acceptance = acceptanceOf(message, request, service);
  if (idempotency === undefined) return acceptance;
  const key = { key: idempotency, payloadHash: payloadHash(type, payload) };
  return { ...acceptance, idempotency: key };
}

function answerOf(accepted: Accepted): AcceptedJob {
  switch (accepted.kind) {
    case 'accepted':
      return { id: accepted.id };
    case 'duplicate':
      return { id: accepted.id, duplicate: true };
    case 'conflict':
      throw new IdempotencyConflictError(accepted.id);
    case 'full':
      throw new OutboxFullError(accepted.pending);
  }
}
