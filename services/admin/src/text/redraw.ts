const HOME = '\u001b[H';
const REST_OF_LINE = '\u001b[K';
const REST_OF_SCREEN = '\u001b[J';

/**
 * A text that takes the place of the one before on a terminal, without a flicker: each line is written over, what is left
 * of the screen is cleared at the end. Lines that the screen has no room for are left out, with a word about it.
 */
export function inPlace(text: string, rows = Number.POSITIVE_INFINITY): string {
  const lines = text.replace(/\n$/, '').split('\n');
  // One for the cursor.
  const room = Math.max(1, rows - 1);
  const shown =
    lines.length <= room
      ? lines
      : [...lines.slice(0, room - 1), `${lines.length - room + 1} more lines`];
  return `${HOME}${shown.map((line) => `${line}${REST_OF_LINE}\n`).join('')}${REST_OF_SCREEN}`;
}
