import { expect, it } from 'vitest';
import { runCommand } from './run-command.ts';

const limits = { timeoutMs: 5000 };

it('resolves what the command wrote', async () => {
  expect(await runCommand('echo', ['a b'], limits)).toBe('a b\n');
});

it('rejects with what it wrote to standard error', async () => {
  const failing = runCommand('sh', ['-c', 'echo nothing; echo no such queue >&2; exit 3'], limits);
  await expect(failing).rejects.toThrow(/no such queue$/);
});

it('rejects when it takes too long', async () => {
  await expect(runCommand('sleep', ['60'], { timeoutMs: 50 })).rejects.toThrow('longer than 50 ms');
});

it('names a command that is not there', async () => {
  await expect(runCommand('no-such-command', [], limits)).rejects.toThrow(/no-such-command/);
});
