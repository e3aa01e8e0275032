const HEAD = `# Configuration

Generated from the settings in \`services/*/src/config.ts\` and \`libs/runtime/src\` by \`npm run docs\`.

Every process reads environment variables when it starts, checks all of them, and refuses to start with wrong ones: each is named, with what was expected. An empty variable counts as unset. A variable that begins with \`WARREN_\` and means nothing is warned of, with the name that was probably meant. \`--help\` prints the variables of a service. Values marked *secret* are never printed.
`;

/**
 * The text of `docs/configuration.md`.
 * @param {readonly { title: string, text: string, settings: object }[]} groups in the order to show them; a setting
 * that an earlier group has in the same form is not repeated
 */
export function configurationDoc(groups) {
  const shown = new Map();
  return [HEAD, ...groups.map((group) => section(group, shown))].join('\n');
}

function section({ title, text, settings }, shown) {
  const rows = Object.entries(settings)
    .map(([name, setting]) => [name, row(name, setting)])
    .filter(([name, line]) => shown.get(name) !== line);
  for (const [name, line] of rows) shown.set(name, line);
  const table = [
    '| Variable | Default | Meaning |',
    '|---|---|---|',
    ...rows.map(([, line]) => line),
  ];
  return [`## ${title}`, '', text, '', ...(rows.length > 0 ? [...table, ''] : [])].join('\n');
}

function row(name, setting) {
  const meaning = `${setting.description}${setting.secret ? ' (secret)' : ''}`;
  return `| \`${name}\` | ${defaultOf(setting)} | ${meaning.replaceAll('|', '\\|')} |`;
}

function defaultOf({ default: value, schema }) {
  if (value !== undefined) return `\`${value}\``;
  return schema.safeParse(undefined).success ? 'unset' : 'none: must be set';
}
