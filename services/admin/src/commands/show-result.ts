import type { AdminShell } from '../shell.ts';
import { visibleJson } from '../text/visible.ts';

/** What every command that has one result takes. */
export interface ResultOptions {
  readonly json?: boolean | undefined;
}

/** Prints a result: as JSON for programs, else as a sentence. */
export function showResult(
  { out }: Pick<AdminShell, 'out'>,
  { json = false }: ResultOptions,
  result: Readonly<Record<string, unknown>>,
  sentence: string,
): void {
  out(`${json ? visibleJson(result, 2) : sentence}\n`);
}
