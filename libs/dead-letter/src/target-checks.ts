import type { BrokerSession } from '@warren/broker';
import { QueueMissingError } from '@warren/contracts';

/**
 * Whether the queues of a replay exist, asked once each. The way there has an alternate exchange, so that a message for
 * a queue that is gone would count as routed, and end among the unroutable.
 */
export class TargetChecks {
  readonly #session: BrokerSession;
  readonly #problems = new Map<string, Promise<string | undefined>>();

  constructor(session: BrokerSession) {
    this.#session = session;
  }

  /** Why nothing can be replayed to a queue; undefined when it can. */
  problemOf(queue: string | undefined): Promise<string | undefined> {
    if (queue === undefined) return Promise.resolve('the queue that it was meant for is not known');
    let problem = this.#problems.get(queue);
    if (!problem) {
      problem = this.#ask(queue);
      this.#problems.set(queue, problem);
    }
    return problem;
  }

  async #ask(queue: string): Promise<string | undefined> {
    try {
      await this.#session.depth(queue);
      return undefined;
    } catch (error) {
      if (error instanceof QueueMissingError) return error.message;
      throw error;
    }
  }
}
