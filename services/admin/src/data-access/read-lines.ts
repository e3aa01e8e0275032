import { StringDecoder } from 'node:string_decoder';

/** A line is a whole message, escaped. */
const MAX_LINE_CHARS = 256 * 1_024 * 1_024;

/** The lines of an input with their numbers from 1, without those that are empty. @throws Error for one that never ends */
export async function* readLines(
  input: AsyncIterable<Buffer>,
): AsyncIterable<{ readonly number: number; readonly text: string }> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let number = 0;
  for await (const chunk of input) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_CHARS)
      throw new Error(`line ${number + lines.length + 1} is too long`);
    for (const text of lines) {
      number += 1;
      if (text.trim() !== '') yield { number, text };
    }
  }
  rest += decoder.end();
  if (rest.trim() !== '') yield { number: number + 1, text: rest };
}
