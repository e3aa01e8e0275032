import { consumeApart } from '../apart/consume-apart.ts';
import { endToEndApart } from '../apart/end-to-end-apart.ts';
import { payload } from '../payload.ts';
import { amqplibByHand, warren } from '../systems/own-systems.ts';
import type { ProfileOptions } from './command-line.ts';
import type { Recording } from './recorder.ts';

const NAMESPACE = 'benchprofileparts';

/** Publisher and worker, in a process each; the recordings say of which of them. */
export async function profileParts(
  options: ProfileOptions,
  recordings: { readonly publisher?: Recording; readonly worker?: Recording },
): Promise<void> {
  const { url, bare, batched, history, count, concurrency, drain, jobTypes } = options;
  const system = bare
    ? amqplibByHand(url, NAMESPACE, batched ? 'batched acks' : 'single acks', jobTypes)
    : warren(url, NAMESPACE, { history, jobTypes });
  const load = { count, concurrency, payload };
  if (drain && recordings.worker) await consumeApart(system, load, recordings.worker);
  else await endToEndApart(system, load, recordings);
}
