import { newJobId } from '@warren/contracts';
import type { Identified } from './identified.ts';

const MAX_REMEMBERED = 1_000;

/**
 * Requests for leases that were not answered: the store may have granted them. When the broker delivers such a job again it is
 * asked for by the same request, so that a lease of this very process is not taken for that of a run elsewhere.
 */
export class LeaseRequests {
  readonly #unanswered = new Map<string, string>();

  /** The one to ask by. Nobody else has it until it is given back. */
  requestFor(message: Identified): string {
    const key = keyOf(message);
    const known = this.#unanswered.get(key);
    this.#unanswered.delete(key);
    return known ?? newJobId();
  }

  /** Nobody asks by it any more, and it was not answered. */
  giveBack(message: Identified, request: string): void {
    this.#unanswered.set(keyOf(message), request);
    const oldest = this.#unanswered.keys().next();
    if (this.#unanswered.size > MAX_REMEMBERED && !oldest.done) {
      this.#unanswered.delete(oldest.value);
    }
  }
}

function keyOf({ id, generation, attempt }: Identified): string {
  return `${generation} ${attempt} ${id}`;
}
