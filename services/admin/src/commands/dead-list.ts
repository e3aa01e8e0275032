import type { BrokerSession } from '@warren/broker';
import { QueueMissingError } from '@warren/contracts';
import {
  type DeadLetter,
  definitionOf,
  type FoundSource,
  type Inspection,
  inspect,
  isWhole,
  type LetterView,
  letterView,
  refuseWhileMigrated,
} from '@warren/dead-letter';
import { findSource, unknownSource } from '../domain/find-source.ts';
import { readSelection, type SelectionOptions } from '../domain/read-selection.ts';
import type { ExitCode } from '../exit-codes.ts';
import { type Admin, withSession } from '../open-session.ts';
import { letterText } from '../text/letter-text.ts';
import { choosePaint } from '../text/paint.ts';
import { visibleJson } from '../text/visible.ts';

export interface ListOptions extends SelectionOptions {
  readonly limit: number;
  readonly after?: number | undefined;
  readonly json?: boolean | undefined;
  readonly showPii?: boolean | undefined;
}

/** `warren dead list`: takes nothing and changes no order. */
export async function listDead(
  admin: Admin,
  name: string,
  { limit, after, json = false, showPii = false, ...options }: ListOptions,
): Promise<ExitCode> {
  const { shell, topology } = admin;
  const source = findSource(name, topology);
  const { queue } = source;
  const selection = readSelection(options, Date.now());
  const found = await withSession(admin, async (session) => {
    await requireSource(session, source, admin, name);
    return inspect({ session, queue, limit, after, selection });
  });
  const { depth, letters, next } = found;
  const shown = await Promise.all(
    letters.map(async (letter) => ({
      letter,
      view: await letterView(letter, definitionOf(letter, source, admin.known), showPii),
    })),
  );
  if (json) {
    const deadLetters = shown.map(({ letter, view }) => jsonOf(letter, view));
    shell.out(`${visibleJson({ queue, depth, deadLetters, next: next ?? null }, 2)}\n`);
    return 0;
  }
  const paint = choosePaint(shell.isTerminal, shell.env);
  const isAll = isWhole(selection) && after === undefined;
  shell.out(`${paint('bold', queue)}: ${headline(found, isAll)}\n`);
  for (const { letter, view } of shown) shell.out(`\n${letterText(letter, view, paint)}\n`);
  if (next !== undefined) shell.out(`\n${paint('dim', `Go on with: --after ${next}`)}\n`);
  return 0;
}

/** A name that is not in the topology may be a slip. @throws UsageError, QueueMissingError; LockHeldError while it is migrated */
export async function requireSource(
  session: BrokerSession,
  source: FoundSource,
  { topology }: Admin,
  name: string,
): Promise<void> {
  try {
    await refuseWhileMigrated(session, topology.names, source.queue);
    await session.depth(source.queue);
  } catch (error) {
    if (error instanceof QueueMissingError && source.isGuess) throw unknownSource(name, topology);
    throw error;
  }
}

function headline({ depth, letters }: Inspection, isAll: boolean): string {
  if (depth === 0) return 'no dead letters';
  const count = depth === 1 ? '1 dead letter' : `${depth} dead letters`;
  const shown = letters.length;
  if (!isAll) return `${count}, ${shown} of those that are meant${shown > 0 ? ':' : ''}`;
  return shown < depth ? `${count}, the oldest ${shown}:` : `${count}:`;
}

function jsonOf(letter: DeadLetter, view: LetterView): object {
  const { body, contentEncoding: _, headers: __, ...facts } = letter;
  return { ...facts, payloadBytes: body.length, ...view };
}
