import { accessSync, constants } from 'node:fs';
import { z } from 'zod';

/** A whole number in decimal digits; bounds are inclusive. */
export function wholeNumber({ min, max }: { readonly min: number; readonly max: number }) {
  const expected = `a whole number from ${min} to ${max}`;
  return z
    .string(expected)
    .regex(/^-?\d{1,15}$/, expected)
    .transform(Number)
    .refine((value) => value >= min && value <= max, expected);
}

/** A TCP port; 0 stands for any free one. */
export const port = () => wholeNumber({ min: 0, max: 65_535 });

/** Any text. Surrounding white space stays: it may belong to a password. */
export const text = () => z.string('a text');

/** One of a few words. */
export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, `one of ${words.join(', ')}`);

/** Yes or no, in the usual spellings. */
export const flag = () =>
  z
    .enum(['1', 'true', 'yes', 'on', '0', 'false', 'no', 'off'], 'true or false')
    .transform((word) => ['1', 'true', 'yes', 'on'].includes(word));

/** The path of a file that this process may read. */
export const readableFile = () =>
  z.string('a file').refine(isReadable, 'the path of a file that this process can read');

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
