/** Some of what a run chose, or has done: keys one after the other. */
export interface KeyPart {
  /** Higher than those of the parts before. */
  readonly seq: number;
  readonly isDone: boolean;
  readonly keys: Buffer;
}

/** Where runs over dead letters are remembered. What it rejects with ends the run that asked. */
export interface RunStore {
  /** Fixes what a run takes, all or nothing. */
  fix(id: string, parts: readonly Buffer[]): Promise<void>;
  keys(id: string, page: { afterSeq: number; limit: number }): Promise<readonly KeyPart[]>;
  addDone(id: string, keys: Buffer): Promise<void>;
  passCanary(id: string): Promise<void>;
  /** Says that it is at work; true when it was asked to stop. */
  beat(id: string): Promise<boolean>;
  /** The next letter waits for this; undefined: for nothing any more. */
  tellWaiting(id: string, waitingFor: string | undefined): Promise<void>;
  end(id: string, end: { problem?: string | undefined; report: unknown }): Promise<void>;
}
