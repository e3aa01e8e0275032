import type { LetterProgress } from '@warren/dead-letter';
import type { AdminShell } from '../shell.ts';
import { progressLine } from '../text/progress-line.ts';

/** What is said of each step. */
export type ProgressWords = Readonly<Record<LetterProgress['step'], string>>;

/** Told how far it is; `of` is undefined where nobody knows how many there are. */
type Tell = (progress: Pick<LetterProgress, 'step' | 'done'> & { of: number | undefined }) => void;

const CLEAR_LINE = '\r\u001b[K';
const EVERY_MS = 100;

/** Says something in a line of its own, which stays. */
type Say = (text: string) => void;

/** Does something that takes long, and shows how far it is where somebody looks at a terminal; nothing of it stays there. */
export async function withProgress<T>(
  { progress, env, err }: Pick<AdminShell, 'progress' | 'env' | 'err'>,
  words: ProgressWords,
  action: (onProgress: Tell | undefined, say: Say) => Promise<T>,
): Promise<T> {
  const say: Say = (text) => err(`warren: ${text}\n`);
  if (!progress || env['TERM'] === 'dumb') return action(undefined, say);
  let [step, startedAtMs, toldAtMs]: [string, number, number] = ['', 0, 0];
  const tell: Tell = ({ step: now, done, of }) => {
    const atMs = performance.now();
    if (now !== step) [step, startedAtMs, toldAtMs] = [now, atMs, 0];
    if (toldAtMs > 0 && atMs - toldAtMs < EVERY_MS) return;
    toldAtMs = atMs;
    const elapsedMs = atMs - startedAtMs;
    progress(`${CLEAR_LINE}${progressLine({ word: words[now], done, of, elapsedMs })}`);
  };
  try {
    return await action(tell, (text) => {
      progress(CLEAR_LINE);
      say(text);
    });
  } finally {
    progress(CLEAR_LINE);
  }
}
