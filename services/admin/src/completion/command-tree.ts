import type { Argument, Command, Option } from 'commander';

/** A word that may be typed, and what it is for. */
export interface Word {
  readonly word: string;
  readonly description: string;
}

/** An option, as completion knows it. */
export interface OptionWords {
  /** As they are typed: `-f`, `--follow`. */
  readonly flags: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  /** Where only these are possible. */
  readonly values: readonly string[];
}

/** One command of the tree. */
export interface CommandWords {
  /** Its names from below the program, such as `/dead/replay`; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly OptionWords[];
  /** What its first argument may be, where that is known. */
  readonly values: readonly string[];
  /** Its first argument is a file. */
  readonly takesFile: boolean;
}

/** Arguments that are a job type, by their names in the tree. */
const JOB_TYPE = new Set(['name', 'queue']);

/** All commands, the program first. `jobTypes` are offered where one is an argument. */
export function commandTree(program: Command, jobTypes: readonly string[]): CommandWords[] {
  return wordsOf(program, '', jobTypes);
}

function wordsOf(command: Command, path: string, jobTypes: readonly string[]): CommandWords[] {
  const [first] = command.registeredArguments;
  const own: CommandWords = {
    path,
    commands: command.commands.map((one) => word(one.name(), one.description())),
    options: [...command.options.map(optionWords), HELP],
    values: first ? valuesOf(first, jobTypes) : [],
    takesFile: first?.name() === 'file',
  };
  const below = command.commands.flatMap((one) => wordsOf(one, `${path}/${one.name()}`, jobTypes));
  return [own, ...below];
}

const HELP: OptionWords = {
  flags: ['-h', '--help'],
  description: 'show what is possible',
  takesValue: false,
  values: [],
};

function optionWords(option: Option): OptionWords {
  return {
    flags: [option.short, option.long].filter((flag) => flag !== undefined),
    description: firstPart(option.description),
    takesValue: option.required || option.optional,
    values: option.argChoices ?? [],
  };
}

function valuesOf(argument: Argument, jobTypes: readonly string[]): readonly string[] {
  if (argument.argChoices) return argument.argChoices;
  return JOB_TYPE.has(argument.name()) ? jobTypes : [];
}

function word(name: string, description: string): Word {
  return { word: name, description: firstPart(description) };
}

/** One line; what follows a semicolon is for the help. */
function firstPart(text: string): string {
  return text.replaceAll(/\s+/g, ' ').split(';', 1)[0] ?? '';
}
