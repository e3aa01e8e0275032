import type { StopReason, TakeReport } from '@warren/dead-letter';
import type { ExitCode } from '../exit-codes.ts';

const AWAY = new Set<StopReason>(['connection_lost', 'blocked', 'ledger_lost']);

/** The exit code for a run over dead letters. */
export function takeExitCode({ stopped, left, unknown }: TakeReport, others = 0): ExitCode {
  if (stopped && AWAY.has(stopped.reason)) return 3;
  return stopped || left + unknown + others > 0 ? 1 : 0;
}
