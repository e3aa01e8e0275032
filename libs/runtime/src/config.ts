import { ConfigInvalidError } from '@warren/contracts';
import { redactUrl } from '@warren/telemetry';
import type { ConfigDefinition, ConfigOf, Setting } from './setting.ts';

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

interface Problem {
  readonly name: string;
  readonly text: string;
}

/**
 * Reads the variables of a definition. An empty variable counts as unset.
 * @throws ConfigInvalidError with one line for each wrong variable: its name, what was expected, and its value
 * unless it is secret
 */
export function loadConfig<Definition extends ConfigDefinition>(
  definition: Definition,
  env: Environment,
): ConfigOf<Definition> {
  const problems: Problem[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(definition)) {
    const result = setting.schema.safeParse(textOf(setting, env[name]));
    if (result.success) values[name] = result.data;
    else problems.push({ name, text: describe(setting, env[name], result.error.issues) });
  }
  throwIfAny(problems);
  return values as ConfigOf<Definition>;
}

const textOf = (setting: Setting, value: string | undefined): string | undefined =>
  value ? value : setting.default;

function describe(
  setting: Setting,
  value: string | undefined,
  issues: readonly { readonly message: string }[],
): string {
  const expected = `must be ${issues.map(({ message }) => message).join(' and ')}`;
  if (!value) return `is not set; it ${expected}`;
  if (!setting.secret) return `${expected}, not ${JSON.stringify(redactUrl(value).slice(0, 200))}`;
  // A schema may quote what it was given.
  return `${expected} (its value is secret and not shown)`.replaceAll(value, '(secret)');
}

function throwIfAny([first, ...others]: readonly Problem[]): void {
  if (!first) return;
  const lines = [first.text, ...others.map(({ name, text }) => `${name}: ${text}`)];
  throw new ConfigInvalidError(first.name, lines.join('\n'));
}
