import { Argument, type Command } from 'commander';
import { completionScript, SHELLS, type Shell } from '../completion/completion-script.ts';
import { examples } from './parts.ts';

/** `warren completion`: last, since it completes what is there. Needs neither broker nor settings. */
export function addCompletion(
  program: Command,
  jobTypes: readonly string[],
  write: (text: string) => void,
): void {
  program
    .command('completion')
    .description('print a script by which a shell completes commands, options and job types')
    .addArgument(new Argument('<shell>', 'which').choices(SHELLS))
    .addHelpText(
      'after',
      [
        '',
        'Where the command is called in another way, such as npx warren, give it a name first:',
        "alias warren='npx warren'. For zsh the folder, such as ~/.zfunc, has to be in fpath before compinit.",
        examples(
          'source <(warren completion bash)',
          'warren completion zsh > ~/.zfunc/_warren',
          'warren completion fish > ~/.config/fish/completions/warren.fish',
        ),
      ].join('\n'),
    )
    .action((shell: Shell) => write(completionScript(shell, program, jobTypes)));
}
