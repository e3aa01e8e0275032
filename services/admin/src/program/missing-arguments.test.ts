import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../program.ts';

const ID = '0197f2a4-0000-7000-8000-000000000000';
const NAME = '<name>  job type or queue, such as email.send';

async function errorOf(argv: readonly string[]): Promise<string> {
  let text = '';
  const writeErr = (part: string) => {
    text += part;
  };
  const program = buildProgram(() => Promise.reject(new Error('must not run')), {
    writeOut: () => {},
    writeErr,
  });
  await expect(program.parseAsync(argv, { from: 'user' })).rejects.toBeInstanceOf(CommanderError);
  return text;
}

describe('a command that lacks an argument', () => {
  it.each([
    [['dead', 'show', ID], `needs <name> and <id>, and there is only "${ID}"`, NAME],
    [
      ['dead', 'edit', ID, '--patch', '{}'],
      `needs <name> and <id>, and there is only "${ID}"`,
      NAME,
    ],
    [['dead', 'show'], 'needs <name> and <id>\n', '<id>  of the job'],
    [
      ['limits', 'set', '60/1m'],
      'needs <limit> and <rate>, and there is only "60/1m"',
      '<limit>  its name',
    ],
    [['dead', 'list'], 'needs <name>\n', NAME],
    [['jobs', 'show'], 'needs <id>\n', '<id>  of the job'],
  ])('%j says all that it needs, and what there is', async (argv, problem, explained) => {
    const text = await errorOf(argv);
    expect(text).toContain(`error: ${problem}`);
    expect(text).toContain(explained);
    expect(text).toContain('--help');
    expect(text).not.toContain('missing required argument');
  });

  it('is told of other errors as before', async () => {
    expect(await errorOf(['dead', 'show', 'email.send', ID, '--nope'])).toContain(
      "error: unknown option '--nope'",
    );
  });
});
