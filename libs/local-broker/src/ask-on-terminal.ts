import { createInterface } from 'node:readline/promises';

/**
 * Something that asks a yes-or-no question on the terminal; `undefined` when no terminal is attached.
 * Only an answer that begins with y means yes.
 */
export function askOnTerminal(
  input: NodeJS.ReadStream = process.stdin,
  output: NodeJS.WriteStream = process.stdout,
): ((question: string) => Promise<boolean>) | undefined {
  if (!input.isTTY || !output.isTTY) return undefined;
  return async (question) => {
    const lines = createInterface({ input, output });
    const answer = await lines.question(`${question} [y/N] `).finally(() => lines.close());
    return /^y/i.test(answer.trim());
  };
}
