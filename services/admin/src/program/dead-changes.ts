import { MAX_REPLAYS } from '@warren/dead-letter';
import type { Command } from 'commander';
import { type DiscardCommandOptions, discardDead } from '../commands/dead-discard.ts';
import { type EditOptions, editDead } from '../commands/dead-edit.ts';
import { type ImportCommandOptions, importDead } from '../commands/dead-import.ts';
import { type ReplayCommandOptions, replayDead } from '../commands/dead-replay.ts';
import { count, examples, limit, type Run, TARGET, withJson, withSelection } from './parts.ts';

const MAX_CANARY = 10_000;
const MAX_RATE = 1_000_000;
const MAX_WAIT_SECONDS = 86_400;

/** What of `warren dead …` changes something. */
export function addDeadChanges(dead: Command, run: Run): void {
  addReplay(dead, run);
  addEdit(dead, run);
  addDiscard(dead, run);
  addImport(dead, run);
}

function addReplay(dead: Command, run: Run): void {
  const replay = dead
    .command('replay')
    .description('put dead letters back into the queues that they failed in, with fresh attempts')
    .argument('[name]', TARGET);
  withSelection(replay)
    .addOption(
      limit('dead letters at most, from the oldest; default: all that are there at the start'),
    )
    .addOption(count('--rate <count>', 'so many per second at most', MAX_RATE))
    .addOption(
      count('--canary <count>', 'replay so many first; go on only if none fails again', MAX_CANARY),
    )
    .addOption(
      count('--canary-wait <seconds>', 'wait so long for them; default: 120', MAX_WAIT_SECONDS),
    )
    .addOption(
      count(
        '--max-replays <count>',
        `pass over what was replayed so often; default: ${MAX_REPLAYS}`,
      ),
    )
    .option('--force', 'pass over none for that')
    .option('--ignore-breakers', 'go on while a circuit is open that its jobs wait for')
    .option('--to <name>', 'all to this job type or queue, such as one that was renamed')
    .option(
      '--edit <patch>',
      'correct each payload: JSON merge patch, as `warren dead edit` takes it',
    )
    .option('--resume <id>', 'go on with one of the ledger that was cut off or stopped')
    .option('--reason <text>', 'why, for the audit')
    .option('--dry-run', 'only say what would be done')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      [
        '',
        'What is meant is fixed at the start. What is passed over is back in the queue at the end, in its',
        'order. Ctrl-C ends it between two messages; killed, it loses nothing and repeats at most 200.',
        'While a circuit breaker of workers is open that its jobs would wait for, the next one waits here.',
        'It is in the ledger (DATABASE_URL, else a file): --resume goes on with exactly what was chosen then,',
        'and repeats nothing that the ledger has as done.',
        'With --to, a payload that does not fit the schema of that job type stays where it is; with --edit,',
        'one that does not fit afterwards. The ledger keeps that they were edited, not how: --resume of such a',
        'replay takes --edit again.',
        examples(
          'warren dead replay email.send --dry-run',
          'warren dead replay email.send --limit 1',
          'warren dead replay email.send --error ECONNREFUSED --since 2h --canary 10 --rate 50',
          'warren dead replay email.send',
          'warren dead replay old.mail.dead --to email.send --dry-run',
          `warren dead replay email.send --error PAYLOAD_INVALID --edit '{"body":null}' --dry-run`,
          'warren dead replay --resume 0197f2…',
        ),
      ].join('\n'),
    )
    .action((name: string | undefined, options: ReplayCommandOptions) =>
      run((admin) => replayDead(admin, name, options)),
    );
}

function addEdit(dead: Command, run: Run): void {
  dead
    .command('edit')
    .description('replay one dead letter with a corrected payload')
    .argument('<name>', TARGET)
    .argument('<id>', 'of the job')
    .requiredOption(
      '--patch <json>',
      'JSON merge patch: null removes a field, other values replace it',
    )
    .option('--reason <text>', 'why, for the audit')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      [
        '',
        'The result is checked by the schema of the job type; nothing is sent when it does not fit. The old and',
        'the new payload are kept in the audit where there is a store (DATABASE_URL).',
        examples(`warren dead edit email.send 0197f2… --patch '{"to":"you@example.org"}'`),
      ].join('\n'),
    )
    .action((name: string, id: string, options: EditOptions) =>
      run((admin) => editDead(admin, name, id, options)),
    );
}

function addDiscard(dead: Command, run: Run): void {
  const discard = dead
    .command('discard')
    .description('drop dead letters for good; asks first')
    .argument('[name]', TARGET);
  withSelection(discard)
    .option('--all', 'all that are there at the start')
    .addOption(limit('dead letters at most, from the oldest'))
    .option(
      '--resume <id>',
      'go on with one of the ledger that was cut off or stopped; does not ask',
    )
    .option('--reason <text>', 'why, for the audit; needed, but with --resume')
    .option('--yes', 'do not ask; needed where there is no terminal')
    .option('--dry-run', 'only say what would be done')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'warren dead discard email.send --fingerprint 3fa9c2d41b07 --reason "test data"',
        'warren dead discard email.send --all --reason "shop closed" --yes',
        'warren dead discard --resume 0197f2…',
      ),
    )
    .action((name: string | undefined, options: DiscardCommandOptions) =>
      run((admin) => discardDead(admin, name, options)),
    );
}

function addImport(dead: Command, run: Run): void {
  const importing = dead
    .command('import')
    .description('publish exported dead letters as dead letters again, or to their queues')
    .argument('[file]', 'an export; default: what is piped in')
    .option('--to-queue', 'replay them: to the queues that they failed in')
    .option('--reason <text>', 'why, for the audit');
  withJson(importing, 'count, published, toQueue, problems: [text]')
    .addHelpText(
      'after',
      [
        '',
        'All of it is read before any is published: of a file with a wrong line, nothing is. Ended early, run',
        'again it publishes all of them again.',
        examples(
          'warren dead import letters.ndjson',
          'warren dead import --to-queue < letters.ndjson',
        ),
      ].join('\n'),
    )
    .action((file: string | undefined, options: ImportCommandOptions) =>
      run((admin) => importDead(admin, file, options)),
    );
}
