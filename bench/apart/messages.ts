import type { Recording } from '../profile/recorder.ts';

/** What a part of a system that runs in a process of its own is to do. */
export interface PartOrder {
  readonly role: 'publisher' | 'worker';
  readonly spec: object;
  readonly count: number;
  /** Jobs before those, which warm both sides up and are not measured. */
  readonly warmUp: number;
  readonly concurrency: number;
  readonly bytes: number;
  /** What each handler takes of the processor. */
  readonly handlerMs?: number | undefined;
  /** The profile to be taken of the time from warm to done, if any. */
  readonly record?: Recording | undefined;
}

/** To the part: a publisher begins at each `go`, first with the warm-up; at `stop` each ends. */
export type ToPart = 'go' | 'stop';

/** From the part: it is connected, its warm-up is over, or its jobs are done. */
export type FromPart =
  | { readonly kind: 'ready' }
  | { readonly kind: 'warm' }
  | {
      readonly kind: 'done';
      /** Since it was warm. */
      readonly cpuSeconds: number;
      /** What it holds of the machine's memory by now. */
      readonly rssMb: number;
    };
