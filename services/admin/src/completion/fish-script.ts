import type { CommandWords, OptionWords } from './command-tree.ts';

/** Completion for fish. */
export function fishScript(tree: readonly CommandWords[]): string {
  const paths = tree.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  return `# Completion of the command warren, made by: warren completion fish
function __warren_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        if contains -- "$at/$word" ${paths.join(' ')}
            set at "$at/$word"
        end
    end
    test "$at" = "$argv[1]"
end
complete -c warren -f
${tree.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ path, commands, options, values, takesFile }: CommandWords): string[] {
  const here = `complete -c warren -n ${quoted(`__warren_at ${quoted(path)}`)}`;
  return [
    ...commands.map(
      ({ word, description }) => `${here} -a ${quoted(word)} -d ${quoted(description)}`,
    ),
    ...(values.length > 0 ? [`${here} -a ${quoted(values.join(' '))}`] : []),
    ...(takesFile ? [`${here} -F`] : []),
    ...options.map((option) => `${here} ${optionOf(option)}`),
  ];
}

function optionOf({ flags, description, takesValue, values }: OptionWords): string {
  const names = flags.map((flag) =>
    flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
  );
  const value = takesValue ? ['-x'] : [];
  const offered = values.length > 0 ? [`-a ${quoted(values.join(' '))}`] : [];
  return [...names, ...value, ...offered, `-d ${quoted(description)}`].join(' ');
}

/** For fish's single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
