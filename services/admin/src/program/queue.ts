import { COUNT_LIMITS } from '@warren/contracts';
import { type Command, InvalidArgumentError } from 'commander';
import {
  pauseQueue,
  type QueueChangeOptions,
  queueConcurrency,
} from '../commands/queue-control.ts';
import { type PurgeOptions, purgeQueue } from '../commands/queue-purge.ts';
import { count, examples, type Run, withJson } from './parts.ts';

const NEEDS = 'Written to the audit. Needs DATABASE_URL; the gateway does the same over HTTP.';

/** `warren queue …`: what can be changed of one while its workers run. */
export function addQueue(program: Command, run: Run): void {
  const queue = program
    .command('queue')
    .description('change what workers do with a queue while they run');
  for (const [name, isPaused, description] of [
    ['pause', true, 'have nobody take the jobs of a queue; those that run end'],
    ['resume', false, 'have the jobs of a queue taken again'],
  ] as const) {
    withJson(change(queue, name, description), 'queue, paused')
      .addHelpText('after', `\n${NEEDS}\n${examples(`warren queue ${name} email.send`)}`)
      .action((of: string, options: QueueChangeOptions) =>
        run((admin) => pauseQueue(admin, of, isPaused, options)),
      );
  }
  addPurge(queue, run);
  const concurrency = change(
    queue,
    'concurrency',
    'show or set how many jobs of a queue run at once in each process',
  );
  withJson(concurrency, 'queue, concurrency, prefetch')
    .argument(
      '[count]',
      `a whole number from 1 to ${COUNT_LIMITS.concurrency}, or reset: as code and environment say`,
      countOrReset,
    )
    .addOption(
      count(
        '--prefetch <count>',
        'deliveries that each process may have out; at least the concurrency',
        COUNT_LIMITS.prefetch,
      ),
    )
    .addHelpText(
      'after',
      `\n${NEEDS}\n${examples(
        'warren queue concurrency email.send',
        'warren queue concurrency email.send 20 --reason "the mail server bears more at night"',
        'warren queue concurrency email.send reset',
      )}`,
    )
    .action((of: string, wanted: number | 'reset' | undefined, options: QueueChangeOptions) =>
      run((admin) => queueConcurrency(admin, of, wanted, options)),
    );
}

function addPurge(queue: Command, run: Run): void {
  const purge = queue
    .command('purge')
    .description('drop the jobs that wait in a queue for good; asks first')
    .argument('<queue>', 'job type, subscriber or queue, such as email.send or email.send.high')
    .option('--reason <text>', 'why, for the audit; needed')
    .option('--yes', 'do not ask; needed where there is no terminal');
  withJson(purge, 'queue, depth, discarded, missing, unknown, stopped')
    .addHelpText(
      'after',
      [
        '',
        'Those that are ready at the start, from the oldest: not what workers have in hand, nor retries, nor',
        'other lanes. Each is told to the history as discarded before it is gone. Ended early, up to 200 go',
        'back; run it again to go on. Written to the audit where there is a store (DATABASE_URL).',
        examples('warren queue purge email.send --reason "the campaign was a mistake"'),
      ].join('\n'),
    )
    .action((of: string, options: PurgeOptions) => run((admin) => purgeQueue(admin, of, options)));
}

function change(queue: Command, name: string, description: string): Command {
  return queue
    .command(name)
    .description(description)
    .argument('<queue>', 'job type or subscriber')
    .option('--reason <text>', 'why, for the audit');
}

function countOrReset(text: string): number | 'reset' {
  if (text === 'reset') return text;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= COUNT_LIMITS.concurrency) return value;
  const hint = text === '0' ? ' `warren queue pause` has nobody take jobs.' : '';
  throw new InvalidArgumentError(
    `Expected reset, or a whole number from 1 to ${COUNT_LIMITS.concurrency}.${hint}`,
  );
}
