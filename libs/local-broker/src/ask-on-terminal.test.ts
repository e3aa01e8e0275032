import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { askOnTerminal } from './ask-on-terminal.ts';

const terminal = (isTTY: boolean): NodeJS.ReadStream & NodeJS.WriteStream =>
  Object.assign(new PassThrough(), { isTTY }) as unknown as NodeJS.ReadStream & NodeJS.WriteStream;

it.each([
  ['y', true],
  ['Yes', true],
  ['', false],
  ['no', false],
])('the answer %j means %s', async (answer, expected) => {
  const input = terminal(true);
  const asked = askOnTerminal(input, terminal(true))?.('Install it?');
  input.write(`${answer}\n`);
  expect(await asked).toBe(expected);
});

it('cannot ask where no terminal is', () => {
  expect(askOnTerminal(terminal(false), terminal(true))).toBeUndefined();
  expect(askOnTerminal(terminal(true), terminal(false))).toBeUndefined();
});
