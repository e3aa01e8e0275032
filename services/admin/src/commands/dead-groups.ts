import { groupLetters, type LetterGroup } from '@warren/dead-letter';
import { findSource } from '../domain/find-source.ts';
import { readSelection, type SelectionOptions } from '../domain/read-selection.ts';
import type { ExitCode } from '../exit-codes.ts';
import { type Admin, withSession } from '../open-session.ts';
import { choosePaint, type Paint } from '../text/paint.ts';
import { timeText } from '../text/time-text.ts';
import { shortened, visible, visibleJson } from '../text/visible.ts';
import { requireSource } from './dead-list.ts';
import { withProgress } from './with-progress.ts';

const MAX_CHARS = 200;
const WORDS = { choosing: 'Looking', taking: 'Looking' };

export interface GroupsOptions extends SelectionOptions {
  readonly json?: boolean | undefined;
  readonly showPii?: boolean | undefined;
}

/** `warren dead groups`: takes nothing and changes no order. */
export async function groupDead(
  admin: Admin,
  name: string,
  { json = false, showPii, ...options }: GroupsOptions,
): Promise<ExitCode> {
  const { shell, topology } = admin;
  const selection = readSelection(options, Date.now());
  const source = findSource(name, topology);
  const { depth, groups, ungrouped } = await withSession(admin, async (session) => {
    await requireSource(session, source, admin, name);
    return withProgress(shell, WORDS, (onProgress) =>
      groupLetters(session, source, { known: admin.known, showPii, selection, onProgress }),
    );
  });
  if (json) {
    shell.out(`${visibleJson({ queue: source.queue, depth, groups, ungrouped }, 2)}\n`);
    return 0;
  }
  const paint = choosePaint(shell.isTerminal, shell.env);
  const kinds = groups.length === 1 ? '1 group' : `${groups.length} groups`;
  shell.out(`${paint('bold', source.queue)}: ${depth} dead letters in ${kinds}\n`);
  for (const group of groups) shell.out(`\n${groupText(group, paint)}\n`);
  if (ungrouped > 0) shell.out(`\n${ungrouped} in groups that there was no room for\n`);
  return 0;
}

function groupText(group: LetterGroup, paint: Paint): string {
  const { fingerprint, type, reason, headline, count, firstSeenMs, lastSeenMs, sampleId } = group;
  const head = [
    paint('bold', String(count)),
    fingerprint,
    visible(type ?? '(no type)'),
    paint('red', visible(reason ?? 'no reason given')),
  ].join('  ');
  const times = `${timeText(firstSeenMs)} to ${timeText(lastSeenMs)}`;
  return [
    head,
    ...(headline === undefined ? [] : [`   ${shortened(visible(headline), MAX_CHARS)}`]),
    `   ${paint('dim', `${times}, such as ${visible(sampleId ?? '(no id)')}`)}`,
  ].join('\n');
}
