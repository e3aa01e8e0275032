import type { z } from 'zod';

/** One environment variable. Without a default it must be set, unless its schema takes `undefined`. */
export interface Setting<Schema extends z.ZodType = z.ZodType> {
  /** Turns the variable's text into its value; its messages finish the sentence "must be …". */
  readonly schema: Schema;
  readonly description: string;
  /** As text, as one would set it. */
  readonly default?: string;
  /** The value is never printed. */
  readonly secret?: boolean;
}

/** Variables of one service, by name. */
export type ConfigDefinition = Readonly<Record<string, Setting>>;

/** What `loadConfig` makes of a definition. */
export type ConfigOf<Definition extends ConfigDefinition> = {
  readonly [Name in keyof Definition]: z.output<Definition[Name]['schema']>;
};

/** Declares one variable; see `Setting`. */
export function setting<Schema extends z.ZodType>(spec: Setting<Schema>): Setting<Schema> {
  return spec;
}

/** Declares the variables of one service. Its type carries the types of their values. */
export function defineConfig<Definition extends ConfigDefinition>(
  definition: Definition,
): Definition {
  return definition;
}
