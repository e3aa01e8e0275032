import type { BrokerSession } from '@warren/broker';
import { type DeadLetter, readDeadLetter } from './dead-letter.ts';
import { definitionOf, type KnownJobs } from './definition-of.ts';
import type { FoundSource } from './find-source.ts';
import { type LetterGroup, LetterGroups } from './letter-groups.ts';
import { letterView } from './letter-view.ts';
import { type OnLetterProgress, TELL_EVERY } from './progress.ts';
import { type Selection, selector } from './selection.ts';

/** What is in a queue of dead letters, by trouble. */
export interface Grouping {
  /** Dead letters that were ready in the queue. */
  readonly depth: number;
  /** The largest first. */
  readonly groups: readonly LetterGroup[];
  /** Letters that there was no room for: 10,000 groups are kept. */
  readonly ungrouped: number;
}

/** How to group. */
export interface GroupOptions {
  /** Whose schemas say what of an error is personal data. */
  readonly known: KnownJobs;
  /** Default: false, as in `letterView`. */
  readonly showPii?: boolean | undefined;
  /** Which are meant. Default: all. */
  readonly selection?: Selection | undefined;
  readonly onProgress?: OnLetterProgress | undefined;
}

/**
 * Groups the dead letters of a queue, those that a selection means, as `inspect` looks at them: none is taken, none changes its place.
 * @throws QueueMissingError, or an error when the connection is lost
 */
export async function groupLetters(
  session: BrokerSession,
  source: Pick<FoundSource, 'queue' | 'jobType'>,
  { known, showPii = false, selection, onProgress }: GroupOptions,
): Promise<Grouping> {
  const { queue } = source;
  const of = onProgress ? await session.depth(queue) : 0;
  let seen = 0;
  const isMeant = selector(selection);
  const groups = new LetterGroups(async (letter: DeadLetter) => {
    const { error } = await letterView(letter, definitionOf(letter, source, known), showPii);
    return error;
  });
  const depth = await session.browse(queue, {
    limit: Number.MAX_SAFE_INTEGER,
    onMessage(message) {
      seen += 1;
      if (seen % TELL_EVERY === 0) onProgress?.({ step: 'choosing', done: seen, of });
      const letter = readDeadLetter(message, 0);
      if (isMeant(letter)) groups.add(letter);
      return true;
    },
  });
  return { depth, groups: await groups.list(), ungrouped: groups.ungrouped };
}
