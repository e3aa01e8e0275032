import type { ProfileOptions, Subject } from './command-line.ts';
import type { Recording } from './recorder.ts';

const WARM_UP_SHARE = 4;

/** A profile that is to be taken. */
export interface Profiling {
  readonly options: ProfileOptions;
  readonly recording: Recording;
}

/** Jobs before those that are counted. */
export function warmUpOf({ count }: ProfileOptions): number {
  return Math.ceil(count / WARM_UP_SHARE);
}

/** A profile that was taken. */
export interface Profiled {
  readonly subject: Subject;
  readonly recording: Recording;
  /** Jobs that went through the process meanwhile. */
  readonly count: number;
}
