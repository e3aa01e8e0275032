import { type EditedPayload, editEach, type ReplayTarget } from '@warren/dead-letter';
import { UsageError } from '../exit-codes.ts';
import type { Admin } from '../open-session.ts';
import type { LetterTools } from './with-letters.ts';

/** A correction that was asked for. */
export interface AskedEdit {
  readonly patch: unknown;
  readonly reason: string | undefined;
  /** Of the ledger; undefined where there is none. */
  readonly run?: string | undefined;
  readonly to?: ReplayTarget | undefined;
  /** Nothing is sent: nothing is written down either. */
  readonly isDryRun?: boolean | undefined;
}

/** Corrects the payload of each. Old and new are written down before the new one is sent. */
export function editing(
  { known }: Pick<Admin, 'known'>,
  { audit, source }: Pick<LetterTools, 'audit' | 'source'>,
  { patch, reason, run, to, isDryRun = false }: AskedEdit,
) {
  const { queue } = source;
  const write = async (
    { id, generation }: { id: string | undefined; generation: number },
    { before, after }: EditedPayload,
  ) => audit.write('dead.edit', { queue, run, id, generation, reason, before, after });
  return editEach({ patch, source, known, to, onEdited: isDryRun ? undefined : write });
}

/** @throws UsageError naming the option */
export function parsePatch(option: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${option} is not JSON: ${(error as Error).message}`);
  }
}
