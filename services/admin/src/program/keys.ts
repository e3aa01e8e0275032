import { API_SCOPES, type ApiScope, newApiKey } from '@warren/runtime';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { newKeyText } from '../text/key-text.ts';
import { examples } from './parts.ts';

interface NewOptions {
  readonly scope: readonly ApiScope[];
  readonly json?: boolean;
}

/** `warren keys …`: what callers of the gateway prove who they are with. Needs neither broker nor settings. */
export function addKeys(program: Command, write: (text: string) => void): void {
  const keys = program.command('keys').description('keys of those who call the gateway');
  keys
    .command('new')
    .description('make a key: show it once, and the entry by which the gateway knows it')
    .argument('<name>', 'of the caller, as the audit will have it: 1 to 40 of a-z, 0-9, ., _ and -')
    .addOption(scopes().makeOptionMandatory())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      [
        '',
        'publish: jobs and events. read: everything that shows something, metrics too. admin: both, and',
        'everything that changes something. Nothing is stored, and no gateway is told: add the entry, which',
        'has a hash only, to WARREN_API_KEYS of the gateways, or to their WARREN_API_KEYS_FILE, and start',
        'them anew. To change a key, add the entry of a new one of the same name, give the key to the',
        'caller, then take the old entry out.',
        examples(
          'warren keys new shop --scope publish --scope read',
          'warren keys new ops --scope admin --json',
        ),
      ].join('\n'),
    )
    .action((name: string, { scope, json }: NewOptions) => {
      const made = newApiKey(name, scope);
      write(json ? `${JSON.stringify({ name, scopes: scope, ...made })}\n` : newKeyText(made));
    });
}

function scopes(): Option {
  const option = new Option('--scope <scope>', 'what it is for; may be repeated').choices(
    API_SCOPES,
  );
  return option.argParser((text: string, before: readonly ApiScope[] | undefined) => {
    const scope = API_SCOPES.find((one) => one === text);
    if (!scope) throw new InvalidArgumentError(`Allowed choices are ${API_SCOPES.join(', ')}.`);
    return [...new Set([...(before ?? []), scope])];
  });
}
