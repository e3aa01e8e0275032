/** Why a run ended before its selection did. */
export type StopReason =
  | 'interrupted'
  | 'connection_lost'
  | 'channel_lost'
  | 'queue_missing'
  | 'blocked'
  | 'unknown_outcome'
  | 'ledger_lost'
  | 'too_many_left'
  | 'stalled'
  | 'canary_failed'
  | 'canary_unfinished';

/** Why, and what is to be said of it. */
export interface Stop {
  readonly reason: StopReason;
  readonly message: string;
}

/** How a run went. */
export interface TakeEnd {
  /** Meant: of a selection, those that were met. */
  readonly selected: number;
  readonly stopped: Stop | undefined;
}

/** One dead letter that stays where it is. */
export interface LeftLetter {
  readonly id: string | undefined;
  readonly problem: string;
}

const MAX_EXAMPLES = 100;

/** Adds up what a run does with dead letters. */
export class TakeTally {
  /** Taken out of the queue. */
  taken = 0;
  left = 0;
  cameBack = 0;
  unknown = 0;
  /** Done by an earlier start of the same run, and only now taken out. */
  doneBefore = 0;
  /** Not meant by the selection. */
  passed = 0;
  /** In the queue at the start and then not there. */
  missing = 0;
  readonly targets = new Map<string, number>();
  leftExamples: LeftLetter[] = [];

  toQueue(queue: string, count = 1): void {
    this.taken += count;
    this.targets.set(queue, (this.targets.get(queue) ?? 0) + count);
  }

  leave(id: string | undefined, problem: string): void {
    this.left += 1;
    if (this.leftExamples.length < MAX_EXAMPLES) this.leftExamples.push({ id, problem });
  }

  /** What stayed is met again. */
  beginAgain(): void {
    this.left = 0;
    this.cameBack = 0;
    this.passed = 0;
    this.leftExamples = [];
  }
}
