/**
 * What a terminal would obey, or what makes text look like other text: control characters (escape sequences begin with
 * one) and the marks that change the direction of writing.
 */
const UNSAFE = /[\p{Cc}\u200e\u200f\u061c\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Text from a message as one line that a terminal only shows: unsafe characters are spelt out, as `\u001b`. */
export function visible(text: string): string {
  return wellFormed(text).replace(UNSAFE, spelt);
}

/** A value as JSON in which nothing unsafe is left; it parses to the same value. */
export function visibleJson(value: unknown, indent?: number): string {
  // Line feeds stand between values only: within texts JSON spells them out by itself.
  return (JSON.stringify(value, undefined, indent) ?? 'null').replace(UNSAFE, (found) =>
    found === '\n' ? found : spelt(found),
  );
}

/** The beginning of a text, with a mark where it was cut. */
export function shortened(text: string, maxChars: number): string {
  return text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
}

/** Half a character, as cut texts have, becomes U+FFFD. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString('utf8');
}

function spelt(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
