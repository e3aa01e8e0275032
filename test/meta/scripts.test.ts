import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const repository = join(import.meta.dirname, '../..');

/** A program in the place of the real one: can be stopped from the first line on, in which it says what it got. */
const PROGRAM = `
process.on('SIGTERM', () => { console.log('stopping'); process.exit(7); });
console.log(JSON.stringify(process.argv.slice(2)));
setInterval(() => undefined, 1000);
`;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'warren-scripts-'));
  cpSync(join(repository, 'scripts'), join(root, 'scripts'), { recursive: true });
  cpSync(join(repository, 'package.json'), join(root, 'package.json'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Evaluates an expression with what a script exports as `m`. */
async function evaluate(script: string, expression: string): Promise<unknown> {
  const module = join(root, 'scripts/lib', script);
  const code = `import * as m from ${JSON.stringify(module)};
    console.log(JSON.stringify(${expression}))`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code]);
  return JSON.parse(stdout);
}

describe('npm start', () => {
  beforeEach(() => {
    writeFileSync(join(root, 'package-lock.json'), '{"packages":{}}');
    symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
    mkdirSync(join(root, 'services/local/src'), { recursive: true });
    writeFileSync(join(root, 'services/local/src/main.ts'), PROGRAM);
  });

  function start(): {
    process: ChildProcessByStdio<null, Readable, null>;
    line: () => Promise<string | undefined>;
  } {
    const script = join(root, 'scripts/start.mjs');
    const child = spawn(process.execPath, [script, '--port', '1'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    return { process: child, line: async () => (await lines.next()).value };
  }

  it('passes arguments and signals on, and the exit code back', async () => {
    const started = start();
    expect(await started.line()).toBe('["--port","1"]');
    const exit = once(started.process, 'exit');
    started.process.kill('SIGTERM');
    expect(await started.line()).toBe('stopping');
    expect(await exit).toEqual([7, null]);
  });

  it('leaves no program behind when it is killed', async () => {
    const started = start();
    await started.line();
    started.process.kill('SIGKILL');
    expect(await started.line()).toBe('stopping');
    expect(await started.line()).toBeUndefined();
  });
});

describe('dependencies', () => {
  const lock = (packages: object): string => JSON.stringify({ packages });

  function install(wanted: object, installed: object): void {
    writeFileSync(join(root, 'package-lock.json'), lock(wanted));
    mkdirSync(join(root, 'node_modules'));
    writeFileSync(join(root, 'node_modules/.package-lock.json'), lock(installed));
  }

  it('are stale when missing or of another version', async () => {
    const other = { 'node_modules/b': { version: '1.0.0' } };
    install(
      { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '2.0.0' } },
      other,
    );
    const stale = await evaluate('dependencies.mjs', 'm.staleDependencies()');
    expect(stale).toEqual(['node_modules/a', 'node_modules/b']);
  });

  it('are complete without the optional ones of other machines', async () => {
    const a = { 'node_modules/a': { version: '1.0.0' } };
    install({ '': {}, 'libs/x': {}, ...a, 'node_modules/c': { optional: true } }, a);
    expect(await evaluate('dependencies.mjs', 'm.staleDependencies()')).toEqual([]);
  });

  it('are installed with npm ci, said in one line', async () => {
    writeFileSync(
      join(root, 'package-lock.json'),
      lock({ 'node_modules/a': { version: '1.0.0' } }),
    );
    const npm = join(root, 'npm');
    writeFileSync(npm, `#!/bin/sh\necho "$PWD $*" >>'${root}/calls'\n`);
    chmodSync(npm, 0o755);
    const code = `import { ensureDependencies } from './scripts/lib/dependencies.mjs';
      ensureDependencies();`;
    const env = { ...process.env, PATH: `${root}:${process.env['PATH']}` };
    const args = ['--input-type=module', '-e', code];
    const { stdout } = await run(process.execPath, args, { cwd: root, env });
    expect(stdout).toBe('Installing dependencies (npm ci)\n');
    expect(readFileSync(join(root, 'calls'), 'utf8')).toMatch(`${root} ci `);
  });
});

describe('the count at the end of npm test', () => {
  async function count(files: object[], exitCode: number): Promise<unknown> {
    const report = join(root, 'report.json');
    writeFileSync(report, JSON.stringify({ testResults: files }));
    return evaluate(
      'test-count.mjs',
      `m.countLine(m.countTests(${JSON.stringify(report)}, ${exitCode}))`,
    );
  }
  const file = (status: string, ...states: string[]): object => ({
    status,
    assertionResults: states.map((each) => ({ status: each })),
  });

  it('adds up all files', async () => {
    const files = [file('passed', 'passed', 'passed'), file('failed', 'passed', 'failed')];
    expect(await count(files, 1)).toBe('3 passed, 1 failed');
  });

  it('mentions skipped tests only if there are any', async () => {
    expect(await count([file('passed', 'passed', 'pending', 'todo')], 0)).toBe(
      '1 passed, 0 failed, 2 skipped',
    );
  });

  it('takes a file that did not load, a bad end and an empty run for failures', async () => {
    expect(await count([file('failed'), file('passed', 'passed')], 1)).toBe('1 passed, 1 failed');
    expect(await count([file('passed', 'passed')], 1)).toBe('1 passed, 1 failed');
    expect(await count([], 0)).toBe('0 passed, 1 failed');
  });

  it('names each failure with the first line of its message', async () => {
    const report = join(root, 'report.json');
    const failed = {
      status: 'failed',
      fullName: 'a job is lost',
      failureMessages: ['Gone\n at x'],
    };
    const files = [
      { name: join(root, 'a.test.ts'), status: 'failed', assertionResults: [failed] },
      {
        name: join(root, 'b.test.ts'),
        status: 'failed',
        message: 'no such lib',
        assertionResults: [],
      },
    ];
    writeFileSync(report, JSON.stringify({ testResults: files }));
    expect(
      await evaluate('test-count.mjs', `m.countTests(${JSON.stringify(report)}, 1).failures`),
    ).toEqual(['a.test.ts: a job is lost: Gone', 'b.test.ts: no such lib']);
  });
});

it.each([
  [[], true],
  [['--project', 'unit', '--project=meta'], false],
  [['--project', 'unit', '--project', 'e2e'], true],
  [['libs/retry'], true],
])('tests called with %j need servers: %s', async (args, expected) => {
  const needs = await evaluate('test-projects.mjs', `m.needsServers(${JSON.stringify(args)})`);
  expect(needs).toBe(expected);
});

it.each([
  ['20.19.0', true],
  ['20.18.9', false],
  ['22.0.0', true],
  ['18.99.0', false],
])('Node %s is new enough for 20.19: %s', async (version, expected) => {
  const enough = await evaluate('node-version.mjs', `m.isAtLeast('${version}', '20.19')`);
  expect(enough).toBe(expected);
});
