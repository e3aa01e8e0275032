/** The regular expression that fits these names whole and nothing else; `^$` for none. */
export function permissionPattern(names: readonly string[]): string {
  if (names.length === 0) return '^$';
  return `^(?:${names.map(escaped).join('|')})$`;
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
