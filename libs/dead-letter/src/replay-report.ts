import type { LeftLetter, Stop, TakeEnd, TakeTally } from './take-tally.ts';

/** What a run over dead letters did, or in a dry run would do. */
export interface TakeReport {
  readonly queue: string;
  readonly dryRun: boolean;
  /** Dead letters that were ready at the start: those that come later are not met. */
  readonly depth: number;
  /** How many of them were meant. */
  readonly selected: number;
  /** Looked at and not meant. They are back in the queue, in their order, before what was not looked at. */
  readonly passed: number;
  /** They stay in the queue, since nothing could be done with them. */
  readonly left: number;
  /** The first of those that were left. */
  readonly leftExamples: readonly LeftLetter[];
  /** Dealt with perhaps, and still in the queue. */
  readonly unknown: number;
  /** Done by an earlier start of the same run, which the broker did not hear of: only taken out now. */
  readonly doneBefore: number;
  /** Counted at the start and then not there: somebody else took or holds them. */
  readonly missing: number;
  /** Undefined when it came to its end. */
  readonly stopped: Stop | undefined;
}

/** What a replay did, or in a dry run would do. */
export interface ReplayReport extends TakeReport {
  /** Published, confirmed and taken out; in a dry run, those that would be. */
  readonly replayed: number;
  /** The same by the queue that they went to. */
  readonly targets: Readonly<Record<string, number>>;
  /** Replayed in this run, failed again, and met again: not taken twice. */
  readonly cameBack: number;
}

/** Puts a report together. */
export function takeReport(
  facts: Pick<TakeReport, 'queue' | 'dryRun' | 'depth'>,
  { selected, stopped }: TakeEnd,
  { passed, left, leftExamples, unknown, doneBefore, missing }: TakeTally,
): TakeReport {
  return {
    ...facts,
    selected,
    passed,
    left,
    leftExamples,
    unknown,
    doneBefore,
    missing,
    stopped,
  };
}

export function replayReport(report: TakeReport, tally: TakeTally): ReplayReport {
  const { taken: replayed, targets, cameBack } = tally;
  return { ...report, replayed, targets: Object.fromEntries(targets), cameBack };
}
