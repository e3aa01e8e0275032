import { catalog } from '@warren/catalog';
import type { JobDefinition } from '@warren/contracts';
import type { Environment } from '@warren/runtime';

/** Of a terminal, in characters. */
export interface TerminalSize {
  readonly columns: number | undefined;
  readonly rows: number | undefined;
}

/** What the process gives to the command. */
export interface AdminShell {
  readonly env: Environment;
  /** Takes results. */
  readonly out: (text: string) => void;
  /** Takes what is no result. */
  readonly err: (text: string) => void;
  /** Is `out` a terminal? */
  readonly isTerminal: boolean;
  /** How large the terminal is now that `out` is; undefined where it is none. */
  readonly size?: (() => TerminalSize) | undefined;
  /** Writes to a terminal that somebody looks at, beside results; undefined where there is none. */
  readonly progress?: ((text: string) => void) | undefined;
  /** Takes a part of a long result, and resolves when there is room for more. Default: `out`. */
  readonly write?: ((text: string) => Promise<void>) | undefined;
  /** Asks a person yes or no; undefined where there is none. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
  /** What is piped in, read anew at each call; undefined where nothing is. */
  readonly input?: (() => AsyncIterable<Buffer>) | undefined;
  /** Aborted when the command should end early. */
  readonly signal: AbortSignal;
  /** The job types of the installation. */
  readonly jobs: readonly JobDefinition[];
}

/** The job types of this installation. */
export const installedJobs = catalog;
