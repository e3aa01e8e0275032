import type { Scenario } from '../compare.ts';
import { contestant } from '../measure/contestant.ts';
import { consume, endToEnd } from '../measure/throughput.ts';
import { payload } from '../payload.ts';
import { leftInPlace } from '../systems/left-in-place.ts';
import { amqplibByHand, warren } from '../systems/own-systems.ts';
import type { JobSystem } from '../systems/system.ts';

const NAMESPACE = 'benchqueues';
/**
 * Of job types, each of which has three queues. Where a broker may have 1,024 files open, as Debian's package starts it, there is
 * no room for 300 quorum queues: RabbitMQ 3.10 keeps some three files for each, and then answers nothing any more.
 */
const COUNTS = [1, 10, 50];
const LOAD = { count: 30_000, concurrency: 10, payload };
const RATE = { rate: { unit: 'jobs/s' } };

/**
 * The same number of jobs, of one type, of 10 and of 50, handled by one process: by a worker with a handler for each, and by
 * hand with a consumer for each, an ack per job.
 */
export function queues(url: string): Scenario[] {
  return COUNTS.flatMap((jobTypes) => {
    const side = (history: boolean) => warren(url, NAMESPACE, { history, jobTypes });
    const bare = amqplibByHand(url, NAMESPACE, 'single acks', jobTypes);
    return [
      scenario(`queues: consume from ${jobTypes}`, consume, side(false), bare),
      scenario(`queues: end to end through ${jobTypes}`, endToEnd, side(true), bare),
    ];
  });
}

/** Its queues, which may be hundreds, are declared once, and emptied for each round. */
function scenario(
  name: string,
  work: typeof consume,
  subject: JobSystem,
  against: JobSystem,
): Scenario {
  return {
    name,
    figures: RATE,
    contestants: [subject, against].map((one) => contestant(leftInPlace(one), work, LOAD)),
    pairs: [{ subject: subject.name, against: against.name }],
    maxRounds: 2,
    end: () => against.dispose(),
  };
}
