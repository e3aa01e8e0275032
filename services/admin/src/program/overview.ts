import type { Command } from 'commander';
import { type HealthOptions, showHealth } from '../commands/health.ts';
import { type QueuesOptions, showQueues } from '../commands/queues.ts';
import { count, examples, type Run } from './parts.ts';

const MAX_INTERVAL = 3_600;

/** `warren queues` and `warren health`. */
export function addOverview(program: Command, run: Run): void {
  program
    .command('queues')
    .description('where the jobs of each queue are, and how they move')
    .option('--watch', 'go on until Ctrl-C: in place on a terminal, else one table after the other')
    .addOption(count('--interval <seconds>', 'between two looks', MAX_INTERVAL).default(2))
    .option('--json', 'print JSON; with --watch, each look on one line')
    .addHelpText(
      'after',
      [
        '',
        "Ready, suspects, dead and consumers are the broker's, and so is what waits in each retry tier, of all queues",
        "together; running, leased and retrying the store's (DATABASE_URL). Leased are the long jobs among those that run:",
        "the broker knows nothing of them. Rates in and out are RabbitMQ's management API's (WARREN_MANAGEMENT_URL), of the",
        'last seconds. How fast what waits changes, and when nothing waits any more if it goes on so, is told from two looks:',
        'the command takes as long as the interval. Columns that a narrow terminal has no room for are left out.',
        examples(
          'warren queues',
          'warren queues --watch',
          'warren queues --watch --interval 10 --json',
        ),
      ].join('\n'),
    )
    .action((options: QueuesOptions) => run((admin) => showQueues(admin, options)));
  program
    .command('health')
    .description('what is wrong, on one screen; exit code 1 when something is')
    .addOption(
      count('--max-dead <count>', 'dead letters of one queue that are no trouble').default(100),
    )
    .addOption(count('--max-ready <count>', 'jobs of one queue that may wait').default(100_000))
    .option('--json', 'print JSON')
    .addHelpText('after', examples('warren health', 'warren health --max-dead 1 || page somebody'))
    .action((options: HealthOptions) => run((admin) => showHealth(admin, options)));
}
