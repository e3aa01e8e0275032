import type { ChaosOptions } from '../support/command-line.ts';
import { isFlat, type MemoryReport } from './memory-curve.ts';
import type { StormStage } from './storm-stage.ts';
import { isClean, judge, type StormVerdict } from './verdict.ts';

/** The last line of a storm. */
export interface StormReport extends StormVerdict, ChaosOptions {
  readonly scenario: string;
  readonly broker: string;
  /** Nothing is other than promised. */
  readonly clean: boolean;
  readonly faults: Readonly<Record<string, number>>;
  /** The longest time without the end of a run while a job waited. */
  readonly longestStallMs: number;
  /** Publishes that were refused or not answered, by error code; each was repeated with the same id. */
  readonly refused: Readonly<Record<string, number>>;
  /** What workers told of, by kind. */
  readonly troubles: Readonly<Record<string, number>>;
  /** Processes that ended otherwise than they were asked to. */
  readonly badEnds: readonly string[];
  /** Of the worker process that was left alone. */
  readonly memory: MemoryReport | undefined;
  /** Where the logs of its processes are. */
  readonly logs: string;
}

/** What distinguishes one storm from another. */
export interface Weather {
  readonly broker: string;
  readonly jobsPerSecond: number;
  readonly print: (line: string) => void;
  /** Messages that went with queues that were deleted on purpose. */
  deleted(): number;
  makeFaults(isOver: () => boolean, onFault: (name: string) => void): Promise<void>;
}

const PROGRESS_MS = 5_000;
/** A lost connection, a claim and the broker's own patience are over by then. */
const WITHOUT_PROGRESS_MS = 240_000;

/** Publishes under faults, lets everything come to its end, and adds up. */
export async function weather(
  scenario: string,
  stage: StormStage,
  { seconds, seed }: ChaosOptions,
  { broker, jobsPerSecond, print, deleted, makeFaults }: Weather,
): Promise<StormReport> {
  const startedMs = Date.now();
  const elapsed = () => ((Date.now() - startedMs) / 1_000).toFixed(1).padStart(6);
  const say = (text: string) => print(`${elapsed()} s  ${text}`);
  const { ledger, publishers, crew, troubles, logs } = stage;
  say(`all is up; logs: ${logs}`);
  const timer = setInterval(
    () => say(`accepted ${ledger.accepted}, waiting ${ledger.missing}`),
    PROGRESS_MS,
  );
  const faults: Record<string, number> = {};
  const onFault = (name: string) => {
    faults[name] = (faults[name] ?? 0) + 1;
    say(`fault: ${name}`);
  };
  let isFaulting = true;
  const isOver = () => Date.now() - startedMs >= seconds * 1_000;
  try {
    const faulting = makeFaults(isOver, onFault).finally(() => {
      isFaulting = false;
    });
    await Promise.all([faulting, publishers.publishWhile(() => isFaulting, jobsPerSecond)]);
    say('no more faults; the rest is handled');
    const settled = await stage.settle(WITHOUT_PROGRESS_MS);
    say(settled ? 'all has come to its end' : 'nothing happens any more, and not all has ended');
    const { longestStallMs } = ledger;
    const parked = await stage.takeParked();
    const verdict = judge(ledger.jobs.values(), parked, troubles, deleted());
    const memory = crew.memory.report();
    const clean =
      settled && isClean(verdict) && crew.badEnds.length === 0 && isFlat(memory, seconds);
    return {
      scenario,
      seconds,
      seed,
      broker,
      clean,
      ...verdict,
      longestStallMs,
      faults,
      refused: publishers.refused,
      troubles: troubles.counts,
      badEnds: crew.badEnds,
      memory,
      logs,
    };
  } finally {
    clearInterval(timer);
  }
}
