import type { Command } from 'commander';
import { buildProgram } from './program.ts';

const HEAD = `# The command \`warren\`

Generated from the command's own help by \`npm run docs\`. In a clone: \`npx warren …\`.
`;

/** The text of `docs/cli.md`. */
export function cliDoc(): string {
  const nothing = () => Promise.resolve();
  const program = buildProgram(nothing, { writeOut: () => {}, writeErr: () => {} });
  return [HEAD, ...sections(program, 'warren')].join('\n');
}

function sections(command: Command, path: string): string[] {
  const below = command.commands.flatMap((one) => sections(one, `${path} ${one.name()}`));
  // A group's own help only lists what is below it.
  if (below.length > 0 && command.parent) return below;
  return [`## \`${path}\`\n\n\`\`\`text\n${helpOf(command)}\n\`\`\`\n`, ...below];
}

/** What stands after the help proper is an event's doing. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text.trimEnd();
}
