import type { Command } from 'commander';
import type { ResultOptions } from '../commands/show-result.ts';
import { rebuildStore } from '../commands/store-rebuild.ts';
import { examples, type Run, withJson } from './parts.ts';

/** `warren store …`. */
export function addStore(program: Command, run: Run): void {
  const store = program.command('store').description('what happened to jobs, as it is kept');
  const rebuild = store
    .command('rebuild')
    .description('clear what the history tells, and wait until the tracker has read it again');
  withJson(rebuild, 'cleared, isTracked, rows, seconds, problem')
    .addHelpText(
      'after',
      [
        '',
        'What is only in the store stays: jobs that wait to be published, keys, claims. Jobs that are older',
        'than the history at RabbitMQ are forgotten. A tracker that runs begins at once, else the next one.',
        'With the embedded store of npm start: stop it, run this, start it again.',
        examples('DATABASE_URL=postgres://warren@db/warren warren store rebuild'),
      ].join('\n'),
    )
    .action((options: ResultOptions) => run((admin) => rebuildStore(admin, options)));
}
