import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ExitCode } from '../exit-codes.ts';
import type { Admin } from '../open-session.ts';

/** Runs what a command does, with its configuration read. */
export type Run = (command: (admin: Admin) => Promise<ExitCode>) => Promise<void>;

/** What a queue of dead letters may be called by. */
export const TARGET = 'job type or queue, such as email.send, email.send.dead or jobs.unroutable';

export function limit(description: string, max = Number.MAX_SAFE_INTEGER): Option {
  return count('--limit <count>', description, max);
}

/** An option that is a whole number of at least 1. */
export function count(flags: string, description: string, max = Number.MAX_SAFE_INTEGER): Option {
  return new Option(flags, description).argParser((text: string) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : 0;
    if (value >= 1 && value <= max) return value;
    const bound = max === Number.MAX_SAFE_INTEGER ? 'of at least 1' : `from 1 to ${max}`;
    throw new InvalidArgumentError(`Expected a whole number ${bound}.`);
  });
}

/** An option that may be given several times. */
export function repeated(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text: string, before: string[] | undefined) => [
    ...(before ?? []),
    text,
  ]);
}

/** Which dead letters are meant. Those that are, fit every option that is given, by any one of its values. */
export function withSelection(command: Command): Command {
  return command
    .addOption(repeated('--id <id>', 'of the job; may be repeated, as the next three'))
    .addOption(repeated('--type <type>', 'job type or event'))
    .addOption(repeated('--error <class>', 'class or code of the last failure, such as TypeError'))
    .addOption(repeated('--fingerprint <digits>', 'as `warren dead groups` shows it'))
    .addOption(
      repeated(
        '--header <name=value>',
        "the publisher's own, such as tenant=acme; repeated: all fit",
      ),
    )
    .option('--since <time>', 'died then or later: 2026-11-29T03:00Z, or 2h for "2 hours ago"')
    .option('--until <time>', 'died before then');
}

/** `--json`, with the fields of the one result that it prints. */
export function withJson(command: Command, fields: string): Command {
  return command.option('--json', `print JSON: { ${fields} }`);
}

export function examples(...lines: readonly string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n');
}
