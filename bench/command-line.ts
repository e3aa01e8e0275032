import { type ParseArgsConfig, parseArgs } from 'node:util';
import { closestTo } from '@warren/runtime';

/** The arguments cannot be used; the message names the one that is wrong. */
export class UsageError extends Error {}

/** A program of the bench, as it is asked for. */
export interface Program<Options> {
  /** After `npm run`. */
  readonly name: string;
  /** What `--help` prints. */
  readonly usage: string;
  /** @throws UsageError */
  read(args: readonly string[]): Options;
}

/** What the arguments ask for: to run, or to print something and end. */
export type Asked<Options> =
  | { readonly kind: 'run'; readonly options: Options }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'refuse'; readonly text: string };

const WRONG_USE = 2;

/** What the arguments ask a program for; `--help` comes before whatever else is wrong. */
export function askedFor<Options>(
  { name, usage, read }: Program<Options>,
  args: readonly string[],
): Asked<Options> {
  if (args.includes('--help') || args.includes('-h')) return { kind: 'help', text: usage };
  try {
    return { kind: 'run', options: read(args) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { kind: 'refuse', text: `${name}: ${error.message}; --help lists all options` };
  }
}

/** The options of this process. It ends here where help is asked for, or with 2 where the arguments cannot be used. */
export function optionsOf<Options>(program: Program<Options>): Options {
  const asked = askedFor(program, process.argv.slice(2));
  if (asked.kind === 'run') return asked.options;
  (asked.kind === 'help' ? process.stdout : process.stderr).write(`${asked.text}\n`);
  process.exit(asked.kind === 'help' ? 0 : WRONG_USE);
}

type Known = NonNullable<ParseArgsConfig['options']>;

/** As `parseArgs`, with the one that is nearest to an option that is not known. @throws UsageError */
export function parse<const Options extends Known>(args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(problemOf(error, Object.keys(options)));
    throw error;
  }
}

/** Its first sentence names the option; more is about arguments that begin with a dash. */
function problemOf({ message }: TypeError, known: readonly string[]): string {
  const [problem = message] = message.split('. ');
  const [, option] = /^Unknown option '-+(.+)'/.exec(message) ?? [];
  const near = option === undefined ? undefined : nearest(option, known);
  return near === undefined ? problem : `${problem}; the nearest is --${near}`;
}

/** However far it is from it; undefined where there is none. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  return closestTo(word, known, Number.POSITIVE_INFINITY);
}

/** @throws UsageError */
export function oneOf<Name extends string>(
  option: string,
  value: string,
  names: readonly Name[],
): Name {
  const found = names.find((name) => name === value);
  if (found !== undefined) return found;
  throw new UsageError(`${option}: expected one of ${names.join(', ')}, got ${value}`);
}

/**
 * Those that a word means: the one of that name, else all whose names contain it; all without a word.
 * @throws UsageError naming the nearest
 */
export function meant<Named extends { readonly name: string }>(
  only: string | undefined,
  all: readonly Named[],
): readonly Named[] {
  const named = all.filter(({ name }) => name === only);
  if (named.length > 0) return named;
  const selected = all.filter(({ name }) => only === undefined || name.includes(only));
  if (selected.length > 0 || only === undefined) return selected;
  const near = nearest(
    only,
    all.map(({ name }) => name),
  );
  throw new UsageError(`--only: nothing is named ${only}; the nearest is ${near ?? 'nothing'}`);
}

/** @throws UsageError */
export function wholeNumber(option: string, value: string, least = 1): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= least) return number;
  throw new UsageError(`${option}: expected a whole number from ${least}, got ${value}`);
}

/** Where the broker is, for want of `--url`. */
export const brokerUrl = (env: Readonly<Record<string, string | undefined>>): string =>
  env['AMQP_URL'] ?? 'amqp://guest:guest@127.0.0.1:5672';

/** For programs that take no options. @throws UsageError */
export function noOptions(args: readonly string[]): void {
  parse(args, {});
}
