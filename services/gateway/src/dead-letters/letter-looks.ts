import { catalog } from '@warren/catalog';
import {
  type DeadLetter,
  definitionOf,
  type FoundSource,
  findLetter,
  fingerprintOf,
  groupLetters,
  inspect,
  letterView,
} from '@warren/dead-letter';
import type { DeadQueue, LetterDesk, ShownLetter } from '../domain/dead-letters/letter-desk.ts';
import type { LetterSessions } from './letter-session.ts';
import { Turns } from './turns.ts';

/**
 * Looks at dead letters, each time over a connection of its own. Of one queue one look at a time: two together may change the
 * order.
 */
export function letterLooks(sessions: LetterSessions): LetterDesk {
  const { topology } = sessions;
  const { names } = topology;
  const turns = new Turns();
  const known = { jobs: catalog, names };
  const shown = (letter: DeadLetter, source: FoundSource) => show(letter, source, known);
  return {
    queues: () =>
      sessions.with(async (session) => {
        const all = [
          ...catalog.map(({ type }) => ({ queue: type, full: names.deadQueue(type) })),
          { queue: 'jobs.unroutable', full: names.unroutable },
        ];
        const figures = await session.figures(all.map(({ full }) => full));
        return all.flatMap(({ queue, full }): DeadQueue[] => {
          const figure = figures.get(full);
          return figure ? [{ queue, dead: figure.ready }] : [];
        });
      }),
    list(queue, page) {
      const source = sessions.source(queue);
      return turns.take(source.queue, () =>
        sessions.look(source, async (session) => {
          const { letters, ...rest } = await inspect({ session, queue: source.queue, ...page });
          return { ...rest, letters: await Promise.all(letters.map((one) => shown(one, source))) };
        }),
      );
    },
    groups(queue, selection) {
      const source = sessions.source(queue);
      return turns.take(source.queue, () =>
        sessions.look(source, (session) => groupLetters(session, source, { known, selection })),
      );
    },
    find(queue, id) {
      const source = sessions.source(queue);
      return turns.take(source.queue, () =>
        sessions.look(source, async (session) => {
          const letter = await findLetter(session, source.queue, id);
          return letter && shown(letter, source);
        }),
      );
    },
  };
}

async function show(
  letter: DeadLetter,
  source: FoundSource,
  known: Parameters<typeof definitionOf>[2],
): Promise<ShownLetter> {
  const view = await letterView(letter, definitionOf(letter, source, known), false);
  const { fingerprint } = fingerprintOf(letter.error, letter.reason);
  const { body, contentEncoding: _, headers: __, ...facts } = letter;
  return { ...facts, fingerprint, payloadBytes: body.length, ...view };
}
