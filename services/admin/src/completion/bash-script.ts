import type { CommandWords, OptionWords } from './command-tree.ts';

/** Completion for bash. */
export function bashScript(tree: readonly CommandWords[]): string {
  return `# Completion of the command warren, made by: warren completion bash
_warren() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at='' i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at/\${COMP_WORDS[i]}" in
      ${pathPattern(tree)}) at="$at/\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $prev" in
${tree.flatMap(valueCases).join('\n')}
  esac
  case "$at" in
${tree.map(wordCase).join('\n')}
  esac
}
complete -F _warren warren
`;
}

/** All paths but the program's own, as alternatives of a `case`. */
export function pathPattern(tree: readonly CommandWords[]): string {
  return tree
    .filter(({ path }) => path !== '')
    .map(({ path }) => quoted(path))
    .join(' | ');
}

/** For a shell's single quotes. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function valueCases({ path, options }: CommandWords): string[] {
  return options.filter(({ takesValue }) => takesValue).map((option) => valueCase(path, option));
}

/** What is not one of a few is anything: nothing is offered. */
function valueCase(path: string, { flags, values }: OptionWords): string {
  const before = flags.map((flag) => quoted(`${path} ${flag}`)).join(' | ');
  const reply = values.length > 0 ? `${offer(values)}; ` : '';
  return `    ${before}) ${reply}return ;;`;
}

function wordCase({ path, commands, options, values, takesFile }: CommandWords): string {
  const flags = options.flatMap((option) => option.flags);
  const words = [...commands.map(({ word }) => word), ...values];
  const files = takesFile ? ' COMPREPLY+=($(compgen -f -- "$cur"));' : '';
  return `    ${quoted(path)}) ${offer([...words, ...flags])};${files} return ;;`;
}

function offer(words: readonly string[]): string {
  return `COMPREPLY=($(compgen -W ${quoted(words.join(' '))} -- "$cur"))`;
}
