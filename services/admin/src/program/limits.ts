import type { Duration, LimitRate } from '@warren/contracts';
import { type Command, InvalidArgumentError } from 'commander';
import { listLimits, setLimit } from '../commands/limits.ts';
import { count, examples, type Run, withJson } from './parts.ts';

const NEEDS = 'Written to the audit. Needs DATABASE_URL; the gateway does the same over HTTP.';
const MAX_BURST = 1_000_000;

interface SetOptions {
  readonly burst?: number | undefined;
  readonly reason?: string | undefined;
  readonly json?: boolean | undefined;
}

/** `warren limits …`: how often handlers may start. */
export function addLimits(program: Command, run: Run): void {
  const limits = program.command('limits').description('how often handlers may start');
  limits
    .command('list')
    .description(
      'every limit: what is valid, who says so, and with DATABASE_URL what is used of it',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', examples('warren limits list'))
    .action((options: { json?: boolean }) => run((admin) => listLimits(admin, options)));
  const set = limits.command('set').description('set a limit in all workers, for all its keys');
  withJson(set, 'limit, rule: { rate, per, burst }')
    .argument('<limit>', 'its name; unless it has one, the job type')
    .argument('<rate>', 'starts in a time, such as 60/1m', rate)
    .addOption(count('--burst <count>', 'starts that may come at once after a rest', MAX_BURST))
    .option('--reason <text>', 'why, for the audit')
    .addHelpText(
      'after',
      `\n${NEEDS}\n${examples('warren limits set crm 30/1m --reason "they asked for it"')}`,
    )
    .action((limit: string, wanted: LimitRate, { burst, ...options }: SetOptions) =>
      run((admin) =>
        setLimit(admin, limit, { ...wanted, ...(burst !== undefined && { burst }) }, options),
      ),
    );
  const reset = limits.command('reset').description('have a limit be as code and environment say');
  withJson(reset, 'limit, rule: null')
    .argument('<limit>', 'its name')
    .option('--reason <text>', 'why, for the audit')
    .addHelpText('after', `\n${NEEDS}\n${examples('warren limits reset crm')}`)
    .action((limit: string, options: SetOptions) =>
      run((admin) => setLimit(admin, limit, undefined, options)),
    );
}

/** Its parts are checked where they are set, by name. */
function rate(text: string): LimitRate {
  const [, starts, per] = /^(-?\d{1,9})\/(.{1,20})$/.exec(text) ?? [];
  if (starts === undefined) throw new InvalidArgumentError('Expected a rate such as 60/1m.');
  return { rate: Number(starts), per: per as Duration };
}
