import type { HeldBy } from './circuit-hold.ts';

/** How far long work is. */
export interface LetterProgress {
  /** `choosing`: looking for what is meant. */
  readonly step: 'choosing' | 'taking';
  readonly done: number;
  /** As far as is known now. */
  readonly of: number;
  /** What the next one waits for. */
  readonly waitingFor?: HeldBy | undefined;
}

/** Is told now and then, twice a second or after some thousand letters. It must not throw. */
export type OnLetterProgress = (progress: LetterProgress) => void;

/** Looks are told of after so many. */
export const TELL_EVERY = 1_000;
