import { createReadStream } from 'node:fs';
import {
  type FoundSource,
  LetterImport,
  type LetterRecord,
  parseLetterRecord,
} from '@warren/dead-letter';
import { withAudit } from '../data-access/audit-trail.ts';
import { readLines } from '../data-access/read-lines.ts';
import { withHistory } from '../data-access/session-history.ts';
import { findSource } from '../domain/find-source.ts';
import { actor } from '../domain/who.ts';
import { type ExitCode, UsageError } from '../exit-codes.ts';
import { type Admin, withSession } from '../open-session.ts';
import { visible } from '../text/visible.ts';
import { type ResultOptions, showResult } from './show-result.ts';
import { withProgress } from './with-progress.ts';

export interface ImportCommandOptions extends ResultOptions {
  readonly toQueue?: boolean | undefined;
  readonly reason?: string | undefined;
}

const WORDS = { choosing: 'Checking', taking: 'Importing' };

type Input = () => AsyncIterable<Buffer>;

/** Published and not confirmed at once, at most. */
const AT_ONCE = 100;
const MAX_SHOWN = 10;
const MAX_PROBLEMS = 100;
/** What is piped in is kept, since it is read twice. */
const MAX_PIPED_BYTES = 256 * 1_024 * 1_024;

/**
 * `warren dead import`. Reads all of it before it publishes any: nothing is sent of what has a line that is wrong.
 * @throws UsageError naming the line
 */
export async function importDead(
  admin: Admin,
  file: string | undefined,
  options: ImportCommandOptions,
): Promise<ExitCode> {
  const { toQueue = false, reason } = options;
  const input = await inputOf(admin, file);
  const count = await countAll(admin, input);
  return withAudit(admin, true, (audit) =>
    withSession(admin, (session) =>
      withHistory(admin, session, async (history) => {
        const { topology } = admin;
        const letters = new LetterImport({ session, topology, toQueue, history, by: actor() });
        await audit.write('dead.import', { file: file ?? null, count, toQueue, reason });
        return publishAll(admin, input, letters, count, { ...options, toQueue });
      }),
    ),
  );
}

/** @throws UsageError naming the first line that is wrong */
function countAll(admin: Admin, input: Input): Promise<number> {
  return withProgress(admin.shell, WORDS, async (onProgress) => {
    let count = 0;
    for await (const _ of records(admin, input)) {
      count += 1;
      onProgress?.({ step: 'choosing', done: count, of: undefined });
    }
    return count;
  });
}

async function publishAll(
  admin: Admin,
  input: Input,
  letters: LetterImport,
  count: number,
  options: ImportCommandOptions,
): Promise<ExitCode> {
  const { shell } = admin;
  const { published, problems } = await withProgress(shell, WORDS, (onProgress) =>
    publishEach(admin, input, letters, (done) => onProgress?.({ step: 'taking', done, of: count })),
  );
  const { toQueue } = options;
  const result = { count, published, toQueue, problems: problems.slice(0, MAX_PROBLEMS) };
  showResult(shell, options, result, `Imported ${published} of ${count} dead letters`);
  for (const problem of problems.slice(0, MAX_SHOWN)) shell.err(`warren: ${visible(problem)}\n`);
  return published === count ? 0 : 1;
}

/** Publishes until all are out, one fails, or the command is to end. */
async function publishEach(
  admin: Admin,
  input: Input,
  letters: LetterImport,
  onPublished: (published: number) => void,
): Promise<{ readonly published: number; readonly problems: readonly string[] }> {
  const problems: string[] = [];
  let published = 0;
  let open: Promise<void>[] = [];
  for await (const { number, record, source } of records(admin, input)) {
    if (admin.shell.signal.aborted) break;
    const one = letters.publish(record, source).then(
      () => {
        published += 1;
        onPublished(published);
      },
      (error: unknown) => {
        problems.push(`line ${number}: ${(error as Error).message}`);
      },
    );
    open.push(one);
    if (open.length >= AT_ONCE) {
      await Promise.all(open);
      open = [];
      if (problems.length > 0) break;
    }
  }
  await Promise.all(open);
  return { published, problems };
}

async function* records(
  { topology }: Admin,
  input: Input,
): AsyncIterable<{
  readonly number: number;
  readonly record: LetterRecord;
  readonly source: FoundSource;
}> {
  for await (const { number, text } of readLines(input())) {
    try {
      const record = parseLetterRecord(text);
      yield { number, record, source: findSource(record.queue, topology) };
    } catch (error) {
      throw new UsageError(`line ${number}: ${(error as Error).message}; nothing was published`);
    }
  }
}

async function inputOf({ shell }: Admin, file: string | undefined): Promise<Input> {
  if (file !== undefined && file !== '-') return () => createReadStream(file);
  if (!shell.input) throw new UsageError('import needs a file, or an export that is piped in');
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of shell.input()) {
    bytes += part.length;
    if (bytes > MAX_PIPED_BYTES) throw new UsageError('too much is piped in: give the file');
    parts.push(part);
  }
  return async function* () {
    yield* parts;
  };
}
