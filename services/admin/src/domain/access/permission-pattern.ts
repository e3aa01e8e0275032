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
    const pattern = oneOf(tails.map(escaped));
    headsOfTails.set(pattern, [...(headsOfTails.get(pattern) ?? []), head]);
  }
  const groups = [...headsOfTails].map(([tails, heads]) =>
    tails === '' ? byFirstPart(heads).join('|') : `${oneOf(byFirstPart(heads))}${tails}`,
  );
  return `^(?:${groups.join('|')})$`;
}

/** Patterns that fit the texts, one for each first part, up to a dot. */
function byFirstPart(texts: readonly string[]): string[] {
  const restsOf = new Map<string, string[]>();
  for (const text of texts) {
    const first = text.slice(0, text.indexOf('.') + 1) || text;
    restsOf.set(first, [...(restsOf.get(first) ?? []), text.slice(first.length)]);
  }
  const firstsOf = new Map<string, string[]>();
  for (const [first, rests] of restsOf) {
    const pattern = oneOf(byFirstPart(rests.filter(Boolean)));
    const rest = rests.includes('') && pattern !== '' ? `(?:|${pattern})` : pattern;
    firstsOf.set(rest, [...(firstsOf.get(rest) ?? []), escaped(first)]);
  }
  return [...firstsOf].flatMap(([rest, firsts]) => (rest === '' ? firsts : oneOf(firsts) + rest));
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

function oneOf(patterns: readonly string[]): string {
  return patterns.length < 2 ? patterns.join('') : `(?:${patterns.join('|')})`;
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
