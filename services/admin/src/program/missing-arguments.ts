import type { Argument, Command } from 'commander';

/** In a whole tree of commands, says all that one needs where something is missing: the parser names the last, whichever it was. */
export function explainMissingArguments(command: Command): void {
  for (const one of command.commands) explainMissingArguments(one);
  const needed = command.registeredArguments.filter(({ required }) => required);
  if (needed.length === 0) return;
  command.configureOutput({
    outputError: (text, write) =>
      write(/^error: missing required argument /.test(text) ? missing(command, needed) : text),
  });
}

function missing({ args }: Command, needed: readonly Argument[]): string {
  const names = needed.map((argument) => `<${argument.name()}>`).join(' and ');
  const given = args.length === 0 ? '' : `, and there is only ${args.map(quoted).join(' ')}`;
  const lines = needed.map((argument) => `  <${argument.name()}>  ${argument.description}`);
  return `error: needs ${names}${given}\n${lines.join('\n')}\n`;
}

const quoted = (text: string) => JSON.stringify(text.slice(0, 100));
