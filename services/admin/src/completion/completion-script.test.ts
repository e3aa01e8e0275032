import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildProgram } from '../program.ts';
import { commandTree } from './command-tree.ts';
import { completionScript, SHELLS, type Shell } from './completion-script.ts';

const program = buildProgram(() => Promise.resolve(), { writeOut: () => {}, writeErr: () => {} });
const jobTypes = ['email.send', 'report.make'];
const scripts = Object.fromEntries(
  SHELLS.map((shell) => [shell, completionScript(shell, program, jobTypes)]),
) as Record<Shell, string>;

const folder = mkdtempSync(join(tmpdir(), 'warren-completion-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (shell: Shell) => {
  const file = join(folder, `warren.${shell}`);
  writeFileSync(file, scripts[shell]);
  return file;
};
const hasNo = (shell: Shell) => spawnSync(shell, ['--version']).status !== 0;

it.each(SHELLS)('%s has every command and every option', (shell) => {
  const tree = commandTree(program, jobTypes);
  expect(tree.length).toBeGreaterThan(20);
  for (const { path, options } of tree) {
    expect(scripts[shell]).toContain(path);
    const long = options.flatMap(({ flags }) => flags).filter((flag) => flag.startsWith('--'));
    for (const flag of long) {
      expect(scripts[shell]).toContain(shell === 'fish' ? `-l ${flag.slice(2)}` : flag);
    }
  }
});

/** What is offered for a line that ends here. */
const LINES: readonly (readonly [readonly string[], readonly string[]])[] = [
  [['dead', 'disc'], ['discard']],
  [['dead', 'replay', 'e'], ['email.send']],
  [['dead', 'replay', 'email.send', '--res'], ['--resume']],
  [['dead', 'replay', '--rate', ''], []],
  [
    ['jobs', 'list', '--state', 'd'],
    ['dead', 'discarded'],
  ],
  [['queue', 'pause', 'r'], ['report.make']],
  [['completion', 'z'], ['zsh']],
];

describe.skipIf(hasNo('bash'))('bash', () => {
  it.each(LINES)('completes %j with %j', (words, offered) => {
    const line = ['warren', ...words].map((word) => `'${word}'`).join(' ');
    const code = `source "$0"; COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _warren; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const said = execFileSync('bash', ['--norc', '-c', code, fileOf('bash')], { encoding: 'utf8' });
    expect(said.split('\n').filter((one) => one !== '')).toEqual(offered);
  });
});

describe.skipIf(hasNo('fish'))('fish', () => {
  it.each(LINES)('completes %j with %j', (words, offered) => {
    const code = `source ${fileOf('fish')}; complete -C 'warren ${words.join(' ')}'`;
    const said = execFileSync('fish', ['--no-config', '-c', code], { encoding: 'utf8' });
    const found = said.split('\n').flatMap((one) => (one === '' ? [] : [one.split('\t')[0]]));
    expect(found.sort()).toEqual([...offered].sort());
  });
});

it.skipIf(hasNo('zsh'))('zsh can read it', () => {
  expect(spawnSync('zsh', ['-n', fileOf('zsh')]).status).toBe(0);
});
