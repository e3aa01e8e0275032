import { endToEndApart } from '../apart/end-to-end-apart.ts';
import type { Contestant, FigureSpec, Pair, Scenario } from '../compare.ts';
import { contestant } from '../measure/contestant.ts';
import { APART_FIGURES } from '../measure/figures.ts';
import { consume, endToEnd, publishMany, publishOneByOne } from '../measure/throughput.ts';
import type { Workload } from '../measure/workload.ts';
import { payload } from '../payload.ts';
import { warren as warrenOf } from '../systems/own-systems.ts';
import type { JobSystem } from '../systems/system.ts';
import { ratioAtLeast, ratioAtMost, type Target } from '../target.ts';
import { NAMESPACE } from './start-peers.ts';

/** As in the examples of BullMQ's documentation; the same for all. */
const CONCURRENCY = 50;
const RATE = { rate: { unit: 'jobs/s' } };

/** What end to end must reach, by how the peer's name begins. */
const END_TO_END: Readonly<Record<string, Target>> = {
  'BullMQ, appendfsync always': ratioAtLeast(1.25),
  'BullMQ, appendfsync everysec': ratioAtLeast(1),
  'pg-boss, polling': ratioAtLeast(10),
  'pg-boss, told not to wait': ratioAtLeast(10),
};

interface Work {
  readonly name: string;
  readonly maxRounds?: number;
  readonly count: number;
  readonly figures: Readonly<Record<string, FigureSpec>>;
  run(system: JobSystem, load: Workload): ReturnType<Contestant['run']>;
  targets?(peer: JobSystem): Readonly<Record<string, Target>>;
}

const WORKS: readonly Work[] = [
  { name: 'publish one by one', count: 2_000, figures: RATE, run: publishOneByOne, maxRounds: 2 },
  { name: 'publish many', count: 30_000, figures: RATE, run: publishMany, maxRounds: 2 },
  { name: 'consume', count: 20_000, figures: RATE, run: consume, maxRounds: 2 },
  {
    name: 'end to end, one process',
    count: 20_000,
    figures: RATE,
    run: endToEnd,
    targets: ({ name }) => (END_TO_END[name] ? { rate: END_TO_END[name] } : {}),
  },
  {
    name: 'end to end, two processes',
    count: 20_000,
    figures: APART_FIGURES,
    run: endToEndApart,
    targets: ({ name }) => ({
      ...(END_TO_END[name] && { rate: END_TO_END[name] }),
      ...(name.startsWith('BullMQ') && { cpu: ratioAtMost(1) }),
    }),
  },
];

const nameOf = ({ name }: Work): string => `peers: ${name}`;

/** What `compareAll` makes, by name. */
export const PEER_SCENARIOS: readonly string[] = WORKS.map(nameOf);

/**
 * Warren, with its history on, against each peer: the same payload, the same concurrency.
 * @param scale of the counts of jobs
 */
export function compareAll(url: string, peers: readonly JobSystem[], scale: number): Scenario[] {
  const warren = warrenOf(url, NAMESPACE, { history: true });
  return WORKS.map((work) => {
    const { name, count, figures, run, targets, maxRounds } = work;
    const others = name.startsWith('publish')
      ? peers.filter(({ publishesAsAnother }) => !publishesAsAnother)
      : peers;
    return {
      name: nameOf(work),
      figures,
      ...(maxRounds !== undefined && { maxRounds }),
      contestants: [warren, ...others].map((one) =>
        contestant(one, run, { count: count * scale, concurrency: CONCURRENCY, payload }),
      ),
      pairs: others.map(
        (peer): Pair => ({
          subject: warren.name,
          against: peer.name,
          targets: targets?.(peer) ?? {},
        }),
      ),
    };
  });
}
