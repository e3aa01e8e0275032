import type { Page } from '../page.ts';

/** What is done to dead letters. */
export type LetterRunKind = 'replay' | 'discard';

/**
 * `choosing`: what it is to take is being fixed. `interrupted`: it was under way and is not heard of any more. `stopped`: it
 * ended early, and told so. All but `ended` may be resumed.
 */
export type LetterRunState = 'choosing' | 'running' | 'interrupted' | 'stopped' | 'ended';

/** A run as it begins. */
export interface NewLetterRun {
  readonly id: string;
  readonly kind: LetterRunKind;
  /** Full name of the queue that it takes from. */
  readonly queue: string;
  readonly actor: string;
  readonly reason?: string | undefined;
  /** Any JSON: which were meant. */
  readonly selection: unknown;
  /** Any JSON: how it goes about it. */
  readonly settings: unknown;
}

/** A run over dead letters, as the ledger has it. */
export interface LetterRunRecord extends NewLetterRun {
  readonly state: LetterRunState;
  /** How often it was begun, or resumed. */
  readonly starts: number;
  /** Dead letters that it is to take: fixed when it began. */
  readonly chosen: number;
  /** Published, or dropped, for certain. */
  readonly done: number;
  /** Is what it takes fixed? One that ended before that chooses anew when it is resumed. */
  readonly isFixed: boolean;
  readonly isCanaryPassed: boolean;
  readonly isStopAsked: boolean;
  /** What its next letter waits for, while it is under way. */
  readonly waitingFor?: string | undefined;
  /** Why it ended early. */
  readonly problem?: string | undefined;
  /** What the last start told at its end; any JSON. */
  readonly report?: unknown;
  /** All by the database's clock, as ms since 1970. */
  readonly begunAtMs: number;
  /** When it was last heard of. */
  readonly aliveAtMs: number;
  readonly endedAtMs?: number | undefined;
}

/** Some of what a run chose, or has done: keys of 16 bytes, one after the other. */
export interface LetterRunKeys {
  readonly seq: number;
  readonly isDone: boolean;
  readonly keys: Buffer;
}

/**
 * The ledger of what is done to dead letters: who, when, which, why, and how far it came. All reject with
 * StoreUnavailableError while the database is away.
 */
export interface LetterRuns {
  begin(run: NewLetterRun): Promise<void>;
  /** Fixes what it takes, all or nothing, in place of what was fixed before. It is running then. */
  fix(id: string, parts: readonly Buffer[]): Promise<void>;
  /** It is begun again: what was told at its end, and a wish to stop, are forgotten. False for one that is not known. */
  resume(id: string): Promise<boolean>;
  /** What it chose and what is done of it, after `afterSeq`, at most `limit` parts. */
  keys(id: string, page: { afterSeq: number; limit: number }): Promise<readonly LetterRunKeys[]>;
  addDone(id: string, keys: Buffer): Promise<void>;
  passCanary(id: string): Promise<void>;
  /** It is still at work. True when somebody asked it to stop. */
  beat(id: string): Promise<boolean>;
  /** Its next letter waits for this; undefined: for nothing any more. */
  tellWaiting(id: string, waitingFor: string | undefined): Promise<void>;
  /** Without a problem nothing of it is left to be resumed, and what it chose is forgotten. */
  end(id: string, end: { problem?: string | undefined; report: unknown }): Promise<void>;
  /** False when it is not under way. */
  askToStop(id: string): Promise<boolean>;
  find(id: string): Promise<LetterRunRecord | undefined>;
  /**
   * Newest first.
   * @throws CursorInvalidError
   */
  list(page: { limit: number; cursor?: string | undefined }): Promise<Page<LetterRunRecord>>;
}
