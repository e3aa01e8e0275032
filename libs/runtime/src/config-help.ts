import type { ConfigDefinition, Setting } from './setting.ts';

/** The text of `--help`: every variable of a service. It reads no environment, so it can show no secret. */
export function helpText(name: string, definition: ConfigDefinition): string {
  const variables = Object.entries(definition).map(([variable, setting]) =>
    entry(variable, setting),
  );
  return [
    `Usage: ${name} [--help]`,
    '',
    'Configured by environment variables; an empty one counts as unset.',
    '',
    ...variables,
    '',
  ].join('\n');
}

function entry(name: string, setting: Setting): string {
  return `  ${name}\n      ${[setting.description, ...notes(setting)].join(' ')}`;
}

function notes(setting: Setting): string[] {
  const required = setting.default === undefined && !setting.schema.safeParse(undefined).success;
  return [
    ...(setting.secret ? ['(secret)'] : []),
    ...(setting.default === undefined ? [] : [`[default: ${setting.default}]`]),
    ...(required ? ['[required]'] : []),
  ];
}
