import { definitionOf, exportLetters, redactRecord } from '@warren/dead-letter';
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
  const report = await withLetters(admin, name, false, (tools) =>
    withProgress({ ...shell, progress }, WORDS, (onProgress) =>
      exportLetters({
        ...replayOptions(admin, tools),
        selection,
        limit: options.limit,
        onProgress,
        async write(record, letter) {
          const definition = definitionOf(letter, tools.source, admin.known);
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
  if (stopped) shell.err(`warren: stopped early: ${visible(stopped.message)}\n`);
  return takeExitCode(report);
}
