import { definitionOf, exportLetters, type LetterRecord, redactRecord } from '@warren/dead-letter';
import { readSelection, type SelectionOptions } from '../domain/read-selection.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Admin } from '../open-session.ts';
import { visible, visibleJson } from '../text/visible.ts';
import { replayOptions } from './dead-replay.ts';
import { takeExitCode } from './take-exit-code.ts';
import { withLetters } from './with-letters.ts';
import { withProgress } from './with-progress.ts';

export interface ExportCommandOptions extends SelectionOptions {
  readonly limit?: number | undefined;
  readonly showPii?: boolean | undefined;
}

const MAX_SHOWN = 10;
const WORDS = { choosing: 'Exporting', taking: 'Exporting' };

/** `warren dead export`: a line for each, and none is taken. @throws UsageError; LockHeldError */
export async function exportDead(
  admin: Admin,
  name: string,
  options: ExportCommandOptions,
): Promise<ExitCode> {
  const { shell } = admin;
  const selection = readSelection(options, Date.now());
  // On a terminal the lines themselves show how far it is.
  const progress = shell.isTerminal ? undefined : shell.progress;
  const incomplete = new Incomplete();
  const report = await withLetters(admin, name, false, (tools) =>
    withProgress({ ...shell, progress }, WORDS, (onProgress) =>
      exportLetters({
        ...replayOptions(admin, tools),
        selection,
        limit: options.limit,
        onProgress,
        async write(record, letter) {
          const definition = definitionOf(letter, tools.source, admin.known);
          incomplete.look(record);
          const shown = await redactRecord(record, letter, definition, options.showPii ?? false);
          const text = `${visibleJson(shown)}\n`;
          if (shell.write) await shell.write(text);
          else shell.out(text);
        },
      }),
    ),
  );
  const { exported, depth, stopped } = report;
  shell.err(`${exported} of ${depth} dead letters exported; all stay in ${report.queue}\n`);
  incomplete.tell(shell);
  if (stopped) shell.err(`warren: stopped early: ${visible(stopped.message)}\n`);
  return takeExitCode(report);
}

/** Lines that do not hold all of their letter. */
class Incomplete {
  readonly #shown: string[] = [];
  #more = 0;

  look({ notKept, properties }: LetterRecord): void {
    if (!notKept) return;
    const which = `${properties['messageId'] ?? 'one without an id'}: ${notKept.join(', ')}`;
    if (this.#shown.length < MAX_SHOWN) this.#shown.push(which);
    else this.#more += 1;
  }

  tell({ err }: Pick<Admin['shell'], 'err'>): void {
    for (const one of this.#shown) {
      err(`warren: no line can hold these headers of ${visible(one)}\n`);
    }
    if (this.#more > 0)
      err(`warren: nor headers of ${this.#more} more: "notKept" in their lines\n`);
  }
}
