import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { ROOT } from './root.mjs';

const FOLLOW_PARENT = new URL('./follow-parent.mjs', import.meta.url).href;

/**
 * Runs Node with these arguments in the repository's folder and resolves its exit code (128 + n for signal n).
 * SIGTERM and SIGINT are passed on; when this process is killed the child stops by itself.
 */
export function runNode(args, env = process.env) {
  const child = spawn(process.execPath, ['--import', FOLLOW_PARENT, ...args], {
    cwd: ROOT,
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const passOn = (signal) => {
    // Ctrl-C in a terminal reaches the child without us.
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(signal);
  };
  process.on('SIGTERM', passOn).on('SIGINT', passOn);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.off('SIGTERM', passOn).off('SIGINT', passOn);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}
