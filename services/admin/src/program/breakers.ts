import type { Command } from 'commander';
import { type HoldOptions, holdBreaker, listBreakers } from '../commands/breakers.ts';
import { examples, type Run, withJson } from './parts.ts';

const NEEDS = 'Written to the audit. Needs DATABASE_URL; the gateway does the same over HTTP.';

/** `warren breakers …`: circuit breakers of all workers. */
export function addBreakers(program: Command, run: Run): void {
  const breakers = program.command('breakers').description('circuit breakers of all workers');
  breakers
    .command('list')
    .description('where their circuits stand, by what workers tell')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('warren breakers list'))
    .action((options: { json?: boolean }) => run((admin) => listBreakers(admin, options)));
  for (const [name, state, description] of [
    ['open', 'open', 'hold one open: jobs that need it wait, unspent'],
    ['close', 'closed', 'hold one closed: calls go through, whatever becomes of them'],
    ['reset', undefined, 'let one go: it follows what its calls tell'],
  ] as const) {
    const hold = breakers.command(name).description(description);
    withJson(hold, 'breaker, state')
      .argument('<breaker>', 'its name')
      .option('--reason <text>', 'why, for the audit')
      .addHelpText('after', `\n${NEEDS}\n${examples(`warren breakers ${name} smtp`)}`)
      .action((breaker: string, options: HoldOptions) =>
        run((admin) => holdBreaker(admin, breaker, state, options)),
      );
  }
}
