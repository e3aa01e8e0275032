/** What the arguments of a service ask for. */
export type Command =
  | { readonly kind: 'run' }
  | { readonly kind: 'help' }
  | { readonly kind: 'refuse'; readonly message: string };

/** Services take no arguments but `--help`. `args` are those after the script's name. */
export function readCommandLine(name: string, args: readonly string[]): Command {
  const unknown = args.find((argument) => argument !== '--help' && argument !== '-h');
  if (unknown !== undefined) {
    const message = `${name}: unknown argument ${JSON.stringify(unknown)}; see ${name} --help`;
    return { kind: 'refuse', message };
  }
  return args.length > 0 ? { kind: 'help' } : { kind: 'run' };
}
