import { UnknownJobTypeError } from '@warren/contracts';
import { type DeadLetter, definitionOf, replay } from '@warren/dead-letter';
import { editPayload } from '../domain/edit-payload.ts';
import { type ExitCode, UsageError } from '../exit-codes.ts';
import type { Admin } from '../open-session.ts';
import { visible } from '../text/visible.ts';
import { replayOptions, showReplay } from './dead-replay.ts';
import { takeExitCode } from './take-exit-code.ts';
import { type LetterTools, withLetters } from './with-letters.ts';

export interface EditOptions {
  readonly patch: string;
  readonly reason?: string | undefined;
  readonly json?: boolean | undefined;
}

/** `warren dead edit`: a replay of one, with another payload. @throws UsageError; LockHeldError */
export async function editDead(
  admin: Admin,
  name: string,
  id: string,
  options: EditOptions,
): Promise<ExitCode> {
  const patch = parsePatch(options.patch);
  return withLetters(admin, name, true, async (tools) => {
    const report = await replay({
      ...replayOptions(admin, tools),
      selection: { ids: [id] },
      limit: 1,
      rewrite: (letter) => rewrite(admin, tools, letter, patch, options),
    });
    if (report.selected === 0 && !report.stopped) {
      admin.shell.err(`warren: ${visible(id)} is not in ${tools.source.queue}\n`);
      return 1;
    }
    showReplay(admin, report, options.json ?? false);
    return takeExitCode(report, report.cameBack);
  });
}

function parsePatch(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--patch is not JSON: ${(error as Error).message}`);
  }
}

/** Old and new are written down before the new one is sent. */
async function rewrite(
  admin: Admin,
  { audit, source }: LetterTools,
  letter: DeadLetter,
  patch: unknown,
  { reason }: EditOptions,
): Promise<Buffer> {
  const definition = definitionOf(letter, source, admin.known);
  if (!definition) {
    const known = admin.shell.jobs.map(({ type }) => type);
    throw new UnknownJobTypeError(letter.type ?? '(no type)', known);
  }
  const { before, after, body } = await editPayload(letter, definition, patch);
  const { id, generation } = letter;
  await audit.write('dead.edit', { queue: source.queue, id, generation, reason, before, after });
  return body;
}
