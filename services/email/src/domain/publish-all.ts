import type { Jobs } from '@warren/client';
import {
  ERROR_CODES,
  type JobDefinition,
  NonRetryableError,
  type PayloadInput,
  SnoozeError,
  WarrenError,
} from '@warren/contracts';

/** What fanning out needs of the client. */
export type BulkPublisher = Pick<Jobs, 'publishMany'>;

export interface PublishAllOptions<Definition extends JobDefinition> {
  readonly jobs: BulkPublisher;
  readonly definition: Definition;
  readonly idOf: (payload: PayloadInput<Definition>) => string;
  readonly correlationId: string;
  /** Publishes in flight at once. */
  readonly window: number;
  readonly signal: AbortSignal;
}

/** What failed is tried again at once, by itself; after that the whole job comes back later. */
const ROUNDS = 3;
const SNOOZE_MS = 30_000;

/**
 * Publishes all of `payloads` under ids that follow from them, so that publishing some twice does no harm. Resolves once
 * the broker has them all.
 * @throws SnoozeError where the broker is the reason, so that an outage spends no attempt; NonRetryableError where a payload
 * is; the signal's reason
 */
export async function publishAll<Definition extends JobDefinition>(
  payloads: Iterable<PayloadInput<Definition>>,
  options: PublishAllOptions<Definition>,
): Promise<void> {
  let failures = await publishOnce(payloads, options);
  for (let round = 1; round < ROUNDS && failures.length > 0; round += 1) {
    if (failures.some(({ error }) => !isOutage(error))) break;
    failures = await publishOnce(
      failures.map(({ payload }) => payload),
      options,
    );
  }
  if (failures.length > 0) throw verdictOn(failures, options.definition.type);
}

interface Failure<Payload> {
  readonly payload: Payload;
  readonly error: Error;
}

async function publishOnce<Definition extends JobDefinition>(
  payloads: Iterable<PayloadInput<Definition>>,
  options: PublishAllOptions<Definition>,
): Promise<Failure<PayloadInput<Definition>>[]> {
  const { jobs, definition, idOf, correlationId, window, signal } = options;
  const failures: Failure<PayloadInput<Definition>>[] = [];
  /** Those under way, so that one that failed can be told; no more than the window. */
  const underWay = new Map<number, PayloadInput<Definition>>();
  const results = jobs.publishMany(definition, payloads, {
    window,
    options: (payload, index) => {
      underWay.set(index, payload);
      return { id: idOf(payload), correlationId };
    },
  });
  for await (const result of results) {
    signal.throwIfAborted();
    const payload = underWay.get(result.index);
    underWay.delete(result.index);
    if ('error' in result) {
      failures.push({ payload: payload as PayloadInput<Definition>, error: result.error });
    }
  }
  return failures;
}

/** The broker's state, not the payload, was the reason. */
function isOutage(error: Error): boolean {
  return error instanceof WarrenError && ERROR_CODES[error.code].status === 503;
}

function verdictOn(failures: readonly Failure<unknown>[], type: string): Error {
  const [first] = failures;
  const worst = failures.find(({ error }) => !isOutage(error));
  const { error } = worst ?? first ?? { error: new Error('nothing failed') };
  const codes = [...new Set(failures.map((failure) => codeOf(failure.error)))].join(', ');
  const problem = `${failures.length} ${type} could not be published: ${codes}`;
  if (!worst) return new SnoozeError(SNOOZE_MS, problem);
  return error instanceof WarrenError ? new NonRetryableError(problem, { cause: error }) : error;
}

function codeOf(error: Error): string {
  return error instanceof WarrenError ? error.code : error.name;
}
