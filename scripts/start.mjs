/** `npm start`: everything on this machine in one process. Arguments are passed on (`--help` lists settings). */

import { ensureDependencies } from './lib/dependencies.mjs';
import { requireNodeVersion } from './lib/node-version.mjs';
import { runNode } from './lib/run-child.mjs';

requireNodeVersion();
ensureDependencies();
const program = ['--import', 'tsx', 'services/local/src/main.ts'];
process.exitCode = await runNode([...program, ...process.argv.slice(2)]);
