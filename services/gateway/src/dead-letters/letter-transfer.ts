import { hostname } from 'node:os';
import { catalog } from '@warren/catalog';
import { definitionOf, exportLetters, LetterImport, redactRecord } from '@warren/dead-letter';
import type { HistorySink } from '@warren/history';
import type { ImportOutcome, TransferDesk } from '../domain/dead-letters/transfer-desk.ts';
import type { WriteDown } from '../domain/write-down.ts';
import type { LetterSessions } from './letter-session.ts';

/** What transfers are made of. */
export interface LetterTransferOptions {
  readonly sessions: LetterSessions;
  readonly writeDown: WriteDown;
  /** Absent where no history is kept. */
  readonly history?: HistorySink | undefined;
}

/** Published and not confirmed at once, at most. */
const AT_ONCE = 100;

/** Exports and imports of this process, each over a connection of its own. */
export function letterTransfer({
  sessions,
  writeDown,
  history,
}: LetterTransferOptions): TransferDesk {
  const { topology } = sessions;
  const known = { jobs: catalog, names: topology.names };
  return {
    export({ queue, selection, limit, showPii, reason }, by, write, signal) {
      const source = sessions.source(queue);
      return sessions.with(async (session) => {
        const what = { queue: source.queue, selection, limit, showPii, reason };
        await writeDown(by, 'dead.export', what);
        const holder = `gateway ${hostname()} (pid ${process.pid}) for ${by}`;
        const { stopped } = await exportLetters({
          session,
          topology,
          source,
          holder,
          selection,
          limit,
          signal,
          async write(record, letter) {
            const definition = definitionOf(letter, source, known);
            await write(await redactRecord(record, letter, definition, showPii));
          },
        });
        return stopped?.message;
      });
    },
    async import({ records, toQueue, reason }, by) {
      const all = records.map((record) => ({ record, source: sessions.source(record.queue) }));
      await writeDown(by, 'dead.import', { count: records.length, toQueue, reason });
      return sessions.with(async (session): Promise<ImportOutcome> => {
        const letters = new LetterImport({ session, topology, toQueue, by, history });
        const problems: { line: number; problem: string }[] = [];
        let imported = 0;
        for (let at = 0; at < all.length && problems.length === 0; at += AT_ONCE) {
          const some = all.slice(at, at + AT_ONCE);
          await Promise.all(
            some.map(({ record, source }, nth) =>
              letters.publish(record, source).then(
                () => {
                  imported += 1;
                },
                (error: unknown) => {
                  problems.push({ line: at + nth + 1, problem: (error as Error).message });
                },
              ),
            ),
          );
        }
        return { imported, problems };
      });
    },
  };
}
