import { styleText } from 'node:util';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

/** Colours a text, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string;

/** Colours are for terminals, and not for people who set NO_COLOR (https://no-color.org). */
export function choosePaint(
  isTerminal: boolean,
  env: Readonly<Record<string, string | undefined>>,
): Paint {
  if (!isTerminal || env['NO_COLOR'] || env['TERM'] === 'dumb') return (_, text) => text;
  // Otherwise it would look for a terminal by itself.
  return (style, text) => styleText(style, text, { validateStream: false });
}
