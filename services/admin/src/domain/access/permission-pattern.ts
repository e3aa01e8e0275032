/** A name as its part before the last dot and the rest; the rest is empty where the name is the first part of others. */
interface Parts {
  readonly head: string;
  readonly tail: string;
}

/** RabbitMQ 4.3 refuses longer ones. */
export const LONGEST_PATTERN = 1_024;

/**
 * The regular expression that fits these names whole and nothing else; `^$` for none. What begins or ends alike is said
 * once, so that an installation's names stay within `LONGEST_PATTERN`.
 */
export function permissionPattern(names: readonly string[]): string {
  if (names.length === 0) return '^$';
  const headsOfTails = new Map<string, string[]>();
  for (const [head, tails] of tailsByHead(names)) {
    const pattern = anyOf(tails);
    headsOfTails.set(pattern, [...(headsOfTails.get(pattern) ?? []), head]);
  }
  const groups = [...headsOfTails].map(([tails, heads]) =>
    tails === '' ? heads.map(escaped).join('|') : `${anyOf(heads)}${tails}`,
  );
  return `^(?:${groups.join('|')})$`;
}

/** For each head what follows it, in the order of the names. */
function tailsByHead(names: readonly string[]): Map<string, string[]> {
  const unique = [...new Set(names)];
  const heads = new Set(unique.map((name) => splitAtLastDot(name).head));
  const tails = new Map<string, string[]>();
  for (const name of unique) {
    const { head, tail } = heads.has(name) ? { head: name, tail: '' } : splitAtLastDot(name);
    tails.set(head, [...(tails.get(head) ?? []), tail]);
  }
  return tails;
}

function splitAtLastDot(name: string): Parts {
  const at = name.lastIndexOf('.');
  return at < 0 ? { head: name, tail: '' } : { head: name.slice(0, at), tail: name.slice(at) };
}

function anyOf(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  return others.length === 0 ? escaped(first) : `(?:${texts.map(escaped).join('|')})`;
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
