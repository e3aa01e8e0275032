import type { Command } from 'commander';
import { type HealthOptions, showHealth } from '../commands/health.ts';
import { showQueues } from '../commands/queues.ts';
import { count, examples, type Run } from './parts.ts';

/** `warren queues` and `warren health`. */
export function addOverview(program: Command, run: Run): void {
  program
    .command('queues')
    .description('where the jobs of each queue are')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      [
        '',
        "Ready, suspects, dead and consumers are the broker's; running, leased and retrying the store's (DATABASE_URL).",
        'Leased are the long jobs among those that run: the broker knows nothing of them.',
        examples('warren queues'),
      ].join('\n'),
    )
    .action((options: { json?: boolean }) => run((admin) => showQueues(admin, options)));
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
