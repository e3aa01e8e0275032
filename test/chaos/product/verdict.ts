import type { PlannedJob } from './plan.ts';
import type { Poster } from './poster.ts';
import type { Product } from './product.ts';
import type { Changes } from './rebuild.ts';

/** What a run adds up to. */
export interface Verdict {
  /** POSTs that were answered 202. */
  readonly accepted: number;
  readonly succeeded: number;
  readonly dead: number;
  /** Accepted, and not ended in the store. */
  readonly lost: number;
  /** Ended otherwise than their handlers were told. */
  readonly wrongEnds: number;
  /** Ends in the store that do not follow from what the handlers did. */
  readonly disagreements: number;
  /** Unknown to the gateway straight after their 202. */
  readonly missedReads: number;
  readonly wrongAnswers: readonly string[];
  /** Handler runs that did again what had been done. */
  readonly duplicated: number;
  readonly attemptsSpentByFaults: number;
  /** Effects of jobs that run once, beyond the first; each is of a process that was killed before it could tell. */
  readonly effectsRepeated: number;
  /** Those that no kill accounts for. */
  readonly effectsUnexplained: number;
  readonly crashes: number;
  readonly rebuilt: Changes;
  /** Some of the jobs that are not as they should be. */
  readonly examples: readonly string[];
}

const MAX_EXAMPLES = 10;

/** Adds up, once all has settled. `rebuilt`: what a rebuild of the store changed. */
export async function judge(product: Product, poster: Poster, rebuilt: Changes): Promise<Verdict> {
  const { ledger } = product;
  const stored = await storedEnds(product);
  const examples: string[] = [];
  const wrong = (job: PlannedJob, what: string) => {
    if (examples.length < MAX_EXAMPLES) {
      examples.push(`${job.id} ${what}: ${JSON.stringify(stored.get(job.id))} of ${job.body}`);
    }
    return 1;
  };
  const count = { succeeded: 0, dead: 0, lost: 0, wrongEnds: 0, disagreements: 0 };
  const effects = { effectsRepeated: 0, effectsUnexplained: 0 };
  for (const job of poster.accepted) {
    const end = stored.get(job.id) ?? { state: 'unknown', resultOf: undefined };
    if (end.state === 'succeeded' || end.state === 'dead') {
      count[end.state] += 1;
      if (end.state !== job.end) count.wrongEnds += wrong(job, 'ended wrongly');
      else if (!ledger.agrees(job, end)) count.disagreements += wrong(job, 'was not done so');
    } else count.lost += wrong(job, 'has not ended');
    const made = ledger.effectsOf(job.id);
    if (made.count > 1) effects.effectsRepeated += made.count - 1;
    if (made.unexplained > 0) effects.effectsUnexplained += wrong(job, 'had its effect twice');
  }
  return {
    accepted: poster.accepted.length,
    ...count,
    missedReads: poster.missed.length,
    wrongAnswers: poster.wrongAnswers,
    duplicated: ledger.duplicated,
    attemptsSpentByFaults: ledger.attemptsSpentByFaults,
    ...effects,
    crashes: product.crashes,
    rebuilt,
    examples,
  };
}

/** Whether everything is as promised. */
export function isClean(verdict: Verdict): boolean {
  const { lost, wrongEnds, disagreements, missedReads, wrongAnswers, crashes, rebuilt } = verdict;
  const { attemptsSpentByFaults, effectsUnexplained } = verdict;
  const faults = [lost, wrongEnds, disagreements, missedReads, wrongAnswers.length, crashes].concat(
    attemptsSpentByFaults,
    effectsUnexplained,
    Object.keys(rebuilt.changed).length,
  );
  return faults.every((fault) => fault === 0);
}

async function storedEnds({ bench }: Product) {
  const rows = await bench.sql('SELECT id, state, result FROM projection.jobs');
  return new Map(
    rows.map(({ id, state, result }) => {
      const kept = typeof result === 'string' ? (JSON.parse(result) as { run: string }) : undefined;
      return [String(id), { state: String(state), resultOf: kept?.run }];
    }),
  );
}
