/** `npm start`: everything on this machine in one process. Arguments are passed on (`--help` lists settings). */

import { ensureDependencies } from './lib/dependencies.mjs';
import { requireNodeVersion } from './lib/node-version.mjs';
import { runNode } from './lib/run-child.mjs';

requireNodeVersion();
ensureDependencies();
// As in the image: docs/deployment.md says why.
const flags = ['--max-semi-space-size=32', '--import', 'tsx'];
const program = [...flags, 'services/local/src/main.ts'];
process.exitCode = await runNode([...program, ...process.argv.slice(2)]);
