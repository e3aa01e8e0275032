import type { Delivery } from '@warren/broker';
import type { Job } from '@warren/contracts';
import type { Identified } from './identified.ts';
import type { Passage } from './passage.ts';

/** What a job needs leave from before it runs. */
export interface Gate {
  /** Leave to run; undefined when the delivery was settled without a run, or waits elsewhere. */
  enter(delivery: Delivery, message: Identified, job: Job): Passage | Promise<Passage | undefined>;
  /** From now on nothing is held. */
  stop(): void;
}
