import type { WorkerWatch } from '@warren/history';
import type { Store } from '@warren/store';
import type { Logger, Metrics } from '@warren/telemetry';
import type { GatewayConfig } from '../config.ts';
import type { LetterDesk } from '../domain/dead-letters/letter-desk.ts';
import type { TransferDesk } from '../domain/dead-letters/transfer-desk.ts';
import { writerDown } from '../domain/write-down.ts';
import type { Streams } from '../history-source.ts';
import { letterLooks } from './letter-looks.ts';
import { LetterRunsHere } from './letter-runs.ts';
import { LetterSessions } from './letter-session.ts';
import { letterTransfer } from './letter-transfer.ts';

/** What of dead letters this gateway can do. */
export interface Letters {
  readonly letters: LetterDesk;
  /** Without a store nothing is done that nobody could show afterwards. */
  readonly runs: LetterRunsHere | undefined;
  readonly transfer: TransferDesk | undefined;
}

/** Connects to nothing: each look, and each run, has a connection of its own. */
export function openLetters(
  config: GatewayConfig,
  {
    store,
    ...parts
  }: {
    readonly store: Store | undefined;
    readonly streams: Streams | undefined;
    readonly watch: WorkerWatch | undefined;
    readonly logger: Logger;
    readonly metrics: Metrics;
  },
): Letters {
  const sessions = new LetterSessions(config);
  const letters = letterLooks(sessions);
  if (!store) return { letters, runs: undefined, transfer: undefined };
  const writeDown = writerDown(store);
  const runs = new LetterRunsHere({ ...parts, sessions, store, writeDown });
  return {
    letters,
    runs,
    transfer: letterTransfer({ sessions, writeDown, history: runs.history }),
  };
}
