import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** The folder that a node's programs see as `/`: this machine's own, or another system entered by chroot. */
export interface SystemRoot {
  readonly path: string;
  /** The folder for temporary data, as seen from outside. */
  readonly temporaryFolder: string;
  /** The same file as programs inside the root name it. Throws when it lies outside. */
  inside(path: string): string;
  /** A command line that runs `file` inside the root. */
  enter(file: string, args: readonly string[]): readonly [string, readonly string[]];
}

const THIS_MACHINE = '/';

/**
 * Opens a system root. Another system than `/` needs root rights and a mounted `/proc`.
 * Throws an error that names the folder and what is missing.
 */
export function openSystemRoot(path: string, temporaryFolder: string): SystemRoot {
  if (path === THIS_MACHINE) {
    return {
      path,
      temporaryFolder,
      inside: (file) => file,
      enter: (file, args) => [file, args],
    };
  }
  checkRoot(path);
  return {
    path,
    temporaryFolder: join(path, 'tmp'),
    inside: (file) => insideOf(path, file),
    enter: (file, args) => ['chroot', [path, file, ...args]],
  };
}

function checkRoot(path: string): void {
  if (process.getuid?.() !== 0) {
    throw new Error(`root ${path}: entering another system with chroot needs root rights`);
  }
  if (!existsSync(join(path, 'usr'))) throw new Error(`root ${path}: no system lies there`);
  if (!existsSync(join(path, 'proc/self')))
    throw new Error(`root ${path}: /proc is not mounted in it`);
}

/** The path of `file` with `root` as its `/`. Throws when it lies outside. */
export function insideOf(root: string, file: string): string {
  const path = relative(root, file);
  if (path === '..' || path.startsWith(`..${sep}`)) {
    throw new Error(`dataDir ${file} must lie inside the root ${root}`);
  }
  return join(THIS_MACHINE, path);
}
