/** `npm run demo`: what becomes of jobs that fail, shown on a real broker. Arguments are passed on. */

import { ensureDependencies } from './lib/dependencies.mjs';
import { requireNodeVersion } from './lib/node-version.mjs';
import { runNode } from './lib/run-child.mjs';

requireNodeVersion();
ensureDependencies();
process.exitCode = await runNode(['--import', 'tsx', 'demo/run.ts', ...process.argv.slice(2)]);
