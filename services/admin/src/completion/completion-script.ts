import type { Command } from 'commander';
import { bashScript } from './bash-script.ts';
import { commandTree } from './command-tree.ts';
import { fishScript } from './fish-script.ts';
import { zshScript } from './zsh-script.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

export type Shell = keyof typeof SCRIPTS;

/** The shells that can complete the command. */
export const SHELLS = Object.keys(SCRIPTS) as readonly Shell[];

/** What a shell is to run, so that it completes the command; made of the command's own tree. */
export function completionScript(
  shell: Shell,
  program: Command,
  jobTypes: readonly string[],
): string {
  return SCRIPTS[shell](commandTree(program, jobTypes));
}
