/**
 * `npm test`: all kinds of tests, or those named (`npm test -- --project unit`); further arguments go to vitest.
 * Ends with one line, `N passed, N failed`.
 */

import { ensureDependencies } from './lib/dependencies.mjs';
import { requireNodeVersion } from './lib/node-version.mjs';

requireNodeVersion();
ensureDependencies();
// Only now: it needs the dependencies.
const { runTests } = await import('./lib/run-tests.mjs');
process.exitCode = await runTests(process.argv.slice(2));
