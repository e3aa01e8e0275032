/** Text as it may stand in HTML and SVG. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** A coordinate, short. */
export const px = (value: number): string => String(Number(value.toFixed(1)));
