import type { LetterRunKeys, LetterRunRecord, LetterRunState, NewLetterRun } from '@warren/store';

/** A line of a ledger that is a file. */
export type LedgerLine = { readonly atMs?: number } & (
  | { readonly is: 'begun'; readonly run: NewLetterRun }
  | { readonly is: 'choosing' | 'fixed' | 'resumed' | 'canary-passed' }
  /** Digests of letters, as base64. */
  | { readonly is: 'chosen' | 'done'; readonly keys: string }
  | { readonly is: 'ended'; readonly problem?: string | undefined; readonly report: unknown }
);

/** What lines say together. */
export interface FoldedLedger {
  readonly parts: readonly LetterRunKeys[];
  /** @throws Error when they do not say which run it is */
  recordAt(aliveAtMs: number, nowMs: number): LetterRunRecord;
}

const KEY_BYTES = 16;
const SILENT_MS = 30_000;

/** A line may be cut off, by a kill: what it was to tell has not been acted on. */
export function readLedgerLines(text: string): readonly LedgerLine[] {
  return text.split('\n').flatMap((line): LedgerLine[] => {
    try {
      return line === '' ? [] : [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

/** Adds lines up, from the first. */
export function foldLedger(lines: readonly LedgerLine[]): FoldedLedger {
  let [parts, choosing]: [LetterRunKeys[], LetterRunKeys[]] = [[], []];
  let [starts, isFixed, isCanaryPassed] = [0, false, false];
  let run: NewLetterRun | undefined;
  let ended: (LedgerLine & { is: 'ended' }) | undefined;
  for (const [at, line] of lines.entries()) {
    const seq = at + 1;
    switch (line.is) {
      case 'begun':
        run = line.run;
        starts = 1;
        break;
      case 'choosing':
        choosing = [];
        break;
      case 'chosen':
        choosing.push({ seq, isDone: false, keys: Buffer.from(line.keys, 'base64') });
        break;
      case 'fixed':
        [parts, isFixed] = [choosing, true];
        break;
      case 'done':
        parts.push({ seq, isDone: true, keys: Buffer.from(line.keys, 'base64') });
        break;
      case 'canary-passed':
        isCanaryPassed = true;
        break;
      case 'resumed':
        [starts, ended] = [starts + 1, undefined];
        break;
      case 'ended':
        ended = line;
    }
  }
  const recordAt = (aliveAtMs: number, nowMs: number): LetterRunRecord => {
    if (!run) throw new Error('the ledger does not say which run it is of');
    return {
      ...run,
      state: stateOf(ended, isFixed, nowMs - aliveAtMs),
      starts,
      isFixed,
      isCanaryPassed,
      isStopAsked: false,
      chosen: count(parts, false),
      done: count(parts, true),
      problem: ended?.problem,
      report: ended?.report,
      begunAtMs: lines[0]?.atMs ?? aliveAtMs,
      aliveAtMs,
      endedAtMs: ended?.atMs,
    };
  };
  return { parts, recordAt };
}

function stateOf(
  ended: (LedgerLine & { is: 'ended' }) | undefined,
  isFixed: boolean,
  silentMs: number,
): LetterRunState {
  if (ended) return ended.problem === undefined ? 'ended' : 'stopped';
  if (silentMs > SILENT_MS) return 'interrupted';
  return isFixed ? 'running' : 'choosing';
}

function count(parts: readonly LetterRunKeys[], isDone: boolean): number {
  const bytes = parts.reduce((sum, one) => sum + (one.isDone === isDone ? one.keys.length : 0), 0);
  return bytes / KEY_BYTES;
}
