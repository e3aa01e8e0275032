import type { TakeReport } from '@warren/dead-letter';
import type { ExitCode } from '../exit-codes.ts';

/** The exit code for a run over dead letters. */
export function takeExitCode({ stopped, left, unknown }: TakeReport, others = 0): ExitCode {
  if (stopped?.reason === 'connection_lost' || stopped?.reason === 'blocked') return 3;
  return stopped || left + unknown + others > 0 ? 1 : 0;
}
