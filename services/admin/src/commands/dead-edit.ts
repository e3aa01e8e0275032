import { replay } from '@warren/dead-letter';
import type { ExitCode } from '../exit-codes.ts';
import type { Admin } from '../open-session.ts';
import { visible } from '../text/visible.ts';
import { replayOptions, showReplay } from './dead-replay.ts';
import { editing, parsePatch } from './letter-edit.ts';
import { takeExitCode } from './take-exit-code.ts';
import { withLetters } from './with-letters.ts';

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
  const { reason } = options;
  const patch = parsePatch('--patch', options.patch);
  return withLetters(admin, name, true, async (tools) => {
    const report = await replay({
      ...replayOptions(admin, tools),
      selection: { ids: [id] },
      limit: 1,
      rewrite: editing(admin, tools, { patch, reason }),
    });
    if (report.selected === 0 && !report.stopped) {
      admin.shell.err(`warren: ${visible(id)} is not in ${tools.source.queue}\n`);
      return 1;
    }
    showReplay(admin, report, options.json ?? false);
    return takeExitCode(report, report.cameBack);
  });
}
