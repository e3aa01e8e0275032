import { type Command, Option } from 'commander';
import { type SetupOptions, setUp } from '../commands/setup.ts';
import { examples, type Run, withJson } from './parts.ts';

/** `warren setup`. */
export function addSetup(program: Command, run: Run): void {
  const setup = program
    .command('setup')
    .description('users with few rights, and policies, that an installation needs at the broker')
    .addOption(
      new Option('--format <format>', 'what to print')
        .choices(['commands', 'definitions'])
        .default('commands'),
    )
    .option('--for <version>', 'of RabbitMQ, such as 4.2.0: what it knows is used')
    .option('--apply', 'make it over WARREN_MANAGEMENT_URL, as an administrator');
  withJson(setup, 'vhost, applied, users: [{ name, password }], policies: [name]')
    .addHelpText(
      'after',
      [
        '',
        'Prints commands for a shell at the broker, or definitions to import (their passwords go to the',
        'error output). Passwords are new each time, but for those of WARREN_USER_PASSWORDS, which are',
        'not shown with definitions. --apply gives users that exist their rights anew and leaves their',
        'passwords, unless there is one for them. Services declare nothing: run warren topology apply',
        'as operator.',
        examples(
          'warren setup --for 4.2.0',
          'warren setup --format definitions > definitions.json 2> passwords',
          'WARREN_MANAGEMENT_URL=http://127.0.0.1:15672 warren setup --apply',
        ),
      ].join('\n'),
    )
    .action((options: SetupOptions) => run((admin) => setUp(admin, options)));
}
