import type { Command } from 'commander';
import { type ExportCommandOptions, exportDead } from '../commands/dead-export.ts';
import { type GroupsOptions, groupDead } from '../commands/dead-groups.ts';
import { type LedgerOptions, showLedger } from '../commands/dead-ledger.ts';
import { type ListOptions, listDead } from '../commands/dead-list.ts';
import { type ShowOptions, showDead } from '../commands/dead-show.ts';
import { count, examples, limit, type Run, TARGET, withSelection } from './parts.ts';

const MAX_LIST = 10_000;
const MAX_LEDGER = 1_000;

/** What of `warren dead …` takes nothing. */
export function addDeadLooks(dead: Command, run: Run): void {
  const list = dead
    .command('list')
    .description('show dead letters, from the oldest; takes none')
    .argument('<name>', TARGET);
  withSelection(list)
    .addOption(limit(`dead letters at most, up to ${MAX_LIST}`, MAX_LIST).default(20))
    .addOption(count('--after <place>', 'leave out those up to this place in the queue'))
    .option('--show-pii', 'show personal data, which is redacted otherwise')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      [
        '',
        'Those that are meant are looked for in the whole queue, as far as is needed; the list ends with the place that',
        'the next page goes on after. What is taken meanwhile moves the rest up.',
        examples(
          'warren dead list email.send',
          'warren dead list email.send --fingerprint 3fa9c2d41b07 --since 2h',
          'warren dead list email.send --limit 100 --after 100',
          'warren dead list jobs.unroutable --limit 5 --json',
        ),
      ].join('\n'),
    )
    .action((name: string, options: ListOptions) => run((admin) => listDead(admin, name, options)));
  const groups = dead
    .command('groups')
    .description('count dead letters by job type and error; takes none')
    .argument('<name>', TARGET);
  withSelection(groups)
    .option('--show-pii', 'show personal data, which is redacted otherwise')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      [
        '',
        'The same error has the same fingerprint in every build: it is made of its class and of the functions',
        'and files of our own code that it came through.',
        examples(
          'warren dead groups email.send',
          'warren dead list email.send --fingerprint 3fa9c2d41b07',
          'warren dead replay email.send --fingerprint 3fa9c2d41b07',
        ),
      ].join('\n'),
    )
    .action((name: string, options: GroupsOptions) =>
      run((admin) => groupDead(admin, name, options)),
    );
  dead
    .command('show')
    .description('show all of one dead letter; takes none')
    .argument('<name>', TARGET)
    .argument('<id>', 'of the job')
    .option('--show-pii', 'show personal data, which is redacted otherwise')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('warren dead show email.send 0197f2…'))
    .action((name: string, id: string, options: ShowOptions) =>
      run((admin) => showDead(admin, name, id, options)),
    );
  dead
    .command('ledger')
    .description('show what was replayed and discarded: who, when, which, why, and how far it came')
    .argument('[id]', 'of a replay or discard; default: list them, the newest first')
    .addOption(limit(`at most, up to ${MAX_LEDGER}`, MAX_LEDGER).default(20))
    .option('--cursor <cursor>', 'where the list before ended')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      [
        '',
        'One that is interrupted has not been heard of for half a minute: its process died. That, and one that',
        'stopped, goes on with warren dead replay --resume. Without DATABASE_URL: what this machine did.',
        examples('warren dead ledger', 'warren dead ledger 0197f2…'),
      ].join('\n'),
    )
    .action((id: string | undefined, options: LedgerOptions) =>
      run((admin) => showLedger(admin, id, options)),
    );
  const exporting = dead
    .command('export')
    .description('write dead letters as lines of JSON; takes none')
    .argument('<name>', TARGET);
  withSelection(exporting)
    .addOption(limit('dead letters at most, from the oldest'))
    .option('--show-pii', 'leave personal data in: without it, such lines cannot be imported')
    .addHelpText(
      'after',
      [
        '',
        'Bodies that are no JSON, or that JSON would not give back byte for byte, are written as base64.',
        examples('warren dead export email.send --show-pii > letters.ndjson'),
      ].join('\n'),
    )
    .action((name: string, options: ExportCommandOptions) =>
      run((admin) => exportDead(admin, name, options)),
    );
}
