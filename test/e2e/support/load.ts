import { setTimeout as pause } from 'node:timers/promises';
import { newJobId } from '@warren/contracts';
import { mailJob, postJob } from './http.ts';

/** How one POST ended. */
export interface Posted {
  readonly id: string;
  /** 0: no answer, the connection was refused or cut. */
  readonly status: number;
  readonly code: string | undefined;
  readonly retryAfter: string | null;
  readonly elapsedMs: number;
}

const LANES = 20;
/** A caller that is refused does not come back in the same moment. */
const AFTER_REFUSAL_MS = 10;

/** Posts jobs in several lanes, each with an id of its own, as long as `more` says so. */
export async function postWhile(
  gatewayUrl: string,
  more: (posted: readonly Posted[]) => boolean,
): Promise<Posted[]> {
  const posted: Posted[] = [];
  let begun = 0;
  const lane = async () => {
    while (more(posted)) {
      begun += 1;
      const answer = await postOne(gatewayUrl, `Load ${begun}`);
      posted.push(answer);
      if (answer.status !== 202) await pause(AFTER_REFUSAL_MS);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return posted;
}

/** Posts one job, and yields how that ended, however it did. */
export async function postOne(gatewayUrl: string, subject: string): Promise<Posted> {
  const id = newJobId();
  const startedMs = performance.now();
  const answer = await postJob(gatewayUrl, { ...mailJob(subject), id }).catch(() => undefined);
  return {
    id,
    status: answer?.status ?? 0,
    code: answer?.body.code,
    retryAfter: answer?.headers.get('retry-after') ?? null,
    elapsedMs: performance.now() - startedMs,
  };
}

/** What all the answers of a run look like, without repetition: `202`, `503 BROKER_UNAVAILABLE`. */
export function kindsOf(posted: readonly Posted[]): string[] {
  return [...new Set(posted.map(({ status, code }) => (code ? `${status} ${code}` : `${status}`)))];
}

/** The ids that were accepted. */
export function acceptedIds(posted: readonly Posted[]): string[] {
  return posted.filter(({ status }) => status === 202).map(({ id }) => id);
}
