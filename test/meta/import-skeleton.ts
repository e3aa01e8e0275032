import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What dependency-cruiser found. */
export interface CruiseReport {
  readonly modules: number;
  readonly violations: readonly { readonly rule: string; readonly from: string }[];
}

/** The workspaces of a kind. */
export function workspaces(kind: 'libs' | 'services'): string[] {
  return readdirSync(join(ROOT, kind)).filter((name) =>
    existsSync(join(ROOT, kind, name, 'package.json')),
  );
}

/**
 * A temporary copy of the repository's shape: its configuration and package files, and in every workspace two
 * sources that import nothing, `index.ts` and `inner.ts`.
 */
export function makeSkeleton(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'imports-'));
  for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json']) {
    cpSync(join(ROOT, file), join(folder, file));
  }
  for (const kind of ['libs', 'services'] as const) {
    for (const name of workspaces(kind)) addWorkspace(folder, join(kind, name));
  }
  mkdirSync(join(folder, 'test'));
  linkPackages(folder);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function addWorkspace(folder: string, path: string): void {
  mkdirSync(join(folder, path, 'src'), { recursive: true });
  cpSync(join(ROOT, path, 'package.json'), join(folder, path, 'package.json'));
  for (const name of ['index.ts', 'inner.ts']) {
    writeFileSync(join(folder, path, 'src', name), 'export const nothing = 0;\n');
  }
}

/** Third-party packages are those of the repository; its own are those of the copy. */
function linkPackages(folder: string): void {
  const from = join(ROOT, 'node_modules');
  const to = join(folder, 'node_modules');
  mkdirSync(to);
  for (const name of readdirSync(from).filter((entry) => !entry.startsWith('.'))) {
    if (name === '@warren')
      cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    else symlinkSync(join(from, name), join(to, name));
  }
}

/** Writes a source file into a skeleton. */
export function plant(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Runs dependency-cruiser with the configuration that lies in a folder. */
export async function cruise(folder: string): Promise<CruiseReport> {
  const tool = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const areas = ['libs', 'services', 'test', 'bench', 'grafana'].filter((area) =>
    existsSync(join(folder, area)),
  );
  const args = [tool, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...areas];
  const report = JSON.parse(await runNode(args, folder)) as {
    summary: { totalCruised: number; violations: { from: string; rule: { name: string } }[] };
  };
  return {
    modules: report.summary.totalCruised,
    violations: report.summary.violations.map(({ rule, from }) => ({ rule: rule.name, from })),
  };
}

/** What a Node process writes; violations make dependency-cruiser's exit code, so that is not looked at. */
function runNode(args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd, maxBuffer: 64 * 1024 * 1024 }, (_, stdout, stderr) => {
      if (stdout) resolve(stdout);
      else reject(new Error(stderr));
    });
  });
}
