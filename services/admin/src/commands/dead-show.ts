import { definitionOf, findLetter, fingerprintOf, letterView } from '@warren/dead-letter';
import { findSource } from '../domain/find-source.ts';
import type { ExitCode } from '../exit-codes.ts';
import { type Admin, withSession } from '../open-session.ts';
import { letterPage } from '../text/letter-page.ts';
import { choosePaint } from '../text/paint.ts';
import { visible, visibleJson } from '../text/visible.ts';
import { requireSource } from './dead-list.ts';

export interface ShowOptions {
  readonly json?: boolean | undefined;
  readonly showPii?: boolean | undefined;
}

/** `warren dead show`: takes nothing and changes no order. */
export async function showDead(
  admin: Admin,
  name: string,
  id: string,
  { json = false, showPii = false }: ShowOptions,
): Promise<ExitCode> {
  const { shell, topology } = admin;
  const source = findSource(name, topology);
  const letter = await withSession(admin, async (session) => {
    await requireSource(session, source, admin, name);
    return findLetter(session, source.queue, id);
  });
  if (!letter) {
    shell.err(`warren: ${visible(id)} is not in ${source.queue}\n`);
    return 1;
  }
  const view = await letterView(letter, definitionOf(letter, source, admin.known), showPii);
  const { fingerprint } = fingerprintOf(letter.error, letter.reason);
  const { body, contentEncoding: _, headers: __, ...facts } = letter;
  const data = { queue: source.queue, fingerprint, ...facts, payloadBytes: body.length, ...view };
  const paint = choosePaint(shell.isTerminal, shell.env);
  shell.out(json ? `${visibleJson(data, 2)}\n` : letterPage(data, paint));
  return 0;
}
