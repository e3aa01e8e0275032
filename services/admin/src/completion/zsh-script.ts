import { pathPattern, quoted } from './bash-script.ts';
import type { CommandWords, OptionWords, Word } from './command-tree.ts';

/** Completion for zsh: a file `_warren` in its function path, or sourced after `compinit`. */
export function zshScript(tree: readonly CommandWords[]): string {
  return `#compdef warren
# Completion of the command warren, made by: warren completion zsh
_warren() {
  local at='' i
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    case "$at/\${words[i]}" in
      (${pathPattern(tree)}) at="$at/\${words[i]}" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${tree.flatMap(valueCases).join('\n')}
  esac
  case "$at" in
${tree.map(wordCase).join('\n')}
  esac
}
if [ "$funcstack[1]" = "_warren" ]; then
  _warren
else
  compdef _warren warren
fi
`;
}

function valueCases({ path, options }: CommandWords): string[] {
  return options.filter(({ takesValue }) => takesValue).map((option) => valueCase(path, option));
}

function valueCase(path: string, { flags, values }: OptionWords): string {
  const before = flags.map((flag) => quoted(`${path} ${flag}`)).join(' | ');
  const offer = values.length > 0 ? `compadd -- ${values.map(quoted).join(' ')}; ` : '';
  return `    (${before}) ${offer}return ;;`;
}

function wordCase({ path, commands, options, values, takesFile }: CommandWords): string {
  const flags = options.flatMap(({ flags: own, description }) =>
    own.map((word) => ({ word, description })),
  );
  const words = [...commands, ...values.map((word) => ({ word, description: '' })), ...flags];
  const files = takesFile ? '; _files' : '';
  return `    (${quoted(path)}) found=(${words.map(described).join(' ')}); _describe warren found${files} ;;`;
}

/** A colon ends the word. */
function described({ word, description }: Word): string {
  const name = word.replaceAll('\\', '\\\\').replaceAll(':', '\\:');
  return quoted(description === '' ? name : `${name}:${description}`);
}
