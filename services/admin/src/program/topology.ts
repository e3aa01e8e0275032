import type { Command } from 'commander';
import type { ResultOptions } from '../commands/show-result.ts';
import { applyTopology, diffTopology } from '../commands/topology.ts';
import { type MigrateCommandOptions, migrateTopology } from '../commands/topology-migrate.ts';
import { addDoctor } from './doctor.ts';
import { count, examples, type Run, withJson } from './parts.ts';

const MIGRATE = [
  'The broker changes no argument of a queue that exists. New messages are led to a holding queue, those in the queue are moved',
  'there, the queue is declared anew, and all comes back. Publishers go on meanwhile; its workers must be stopped. One that',
  'is paused, or in its grace time, is waited for while it has jobs in hand; of a classic queue AMQP does not show it. Ended in',
  'the middle, by whatever, nothing is lost and the same command goes on. A job that comes in just as the ways are changed may',
  'come twice, under one id.',
  '',
  'Dead letters and the unroutable keep all that they carry. Workers go on; nobody replays or looks at that queue meanwhile.',
].join('\n');

const DIFF = [
  'AMQP shows what is missing or has other arguments. WARREN_MANAGEMENT_URL adds bindings that are missing, those of strangers on',
  'the exchange jobs, and queues that no job type declares any more, with their messages.',
].join('\n');

/** Longer than any grace time. */
const MAX_WAIT_SECONDS = 86_400;

/** `warren topology …`. */
export function addTopology(program: Command, run: Run): void {
  const topology = program.command('topology').description('exchanges, queues and bindings');
  const apply = topology
    .command('apply')
    .description('declare everything that is missing; deletes and changes nothing');
  withJson(apply, 'exchanges, queues, bindings, created: [{ what, name }]')
    .addHelpText('after', examples('warren topology apply'))
    .action((options: ResultOptions) => run((admin) => applyTopology(admin, options)));
  const diff = topology
    .command('diff')
    .description('say what is missing, different or left over at the broker; changes nothing');
  withJson(
    diff,
    'differences: [{ kind, what, name, detail }], bindings: null or [{ kind, exchange, queue, routingKey }], undeclared: null or [{ name, messages, consumers }]',
  )
    .addHelpText(
      'after',
      `\n${DIFF}\n${examples(
        'warren topology diff',
        'WARREN_MANAGEMENT_URL=http://127.0.0.1:15672 warren topology diff',
      )}`,
    )
    .action((options: ResultOptions) => run((admin) => diffTopology(admin, options)));
  addDoctor(topology, run, 'warren topology doctor');
  const migrate = topology
    .command('migrate')
    .description('give a queue the arguments that it is declared with now, and lose nothing in it')
    .argument(
      '<queue>',
      'such as email.send, email.send.suspect, email.send.dead or jobs.unroutable',
    )
    .option('--dry-run', 'say what would be done; changes nothing')
    .addOption(
      count(
        '--wait <seconds>',
        'wait so long for the end of its workers; default: 3',
        MAX_WAIT_SECONDS,
      ),
    )
    .option('--reason <text>', 'why, for the audit');
  withJson(
    migrate,
    'queue, dryRun, found, steps, ready, held, consumers, moved, returned, deleted, isInterrupted',
  )
    .addHelpText(
      'after',
      `\n${MIGRATE}\n${examples('warren topology migrate email.send', 'warren topology migrate email.send.dead --dry-run')}`,
    )
    .action((queue: string, options: MigrateCommandOptions) =>
      run((admin) => migrateTopology(admin, queue, options)),
    );
}
