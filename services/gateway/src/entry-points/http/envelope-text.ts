import { z } from 'zod';

/** A string; where there is none, the error says that it is required, else `what`. */
export function textOf(what: string): z.ZodString {
  return z.string({ error: (issue) => (issue.input === undefined ? 'is required' : what) });
}

/** A text that is a duration; `does` says what for. */
export function duration(does: string, example: string) {
  return textOf(`expected a duration such as '${example}'`)
    .optional()
    .meta({
      description: `${does}; a number and \`ms\`, \`s\`, \`m\`, \`h\` or \`d\``,
      pattern: '^\\d+(\\.\\d+)?(ms|s|m|h|d)$',
      examples: [example],
    });
}
