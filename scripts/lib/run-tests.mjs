import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './root.mjs';
import { runNode } from './run-child.mjs';
import {
  ensureMonitoring,
  ensurePythonClient,
  ensureShells,
  obtainTestBroker,
} from './test-broker.mjs';
import { countLine, countTests } from './test-count.mjs';
import { obtainTestDatabase } from './test-database.mjs';
import { mayRun, needsServers } from './test-projects.mjs';

const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');

/** Runs vitest with these arguments, with a broker and a database where they are needed; resolves the exit code. */
export async function runTests(args) {
  if (mayRun('unit', args)) await ensureShells();
  if (mayRun('e2e', args)) await ensurePythonClient();
  if (mayRun('meta', args) || mayRun('integration', args)) await ensureMonitoring();
  const counts = needsServers(args)
    ? await runWithServers(args)
    : await runVitest(args, process.env);
  for (const failure of counts.failures) console.log(`Failed: ${failure}`);
  console.log(countLine(counts));
  return counts.failed > 0 ? 1 : 0;
}

/** On a broker and a PostgreSQL; what was started for the tests is stopped after them. */
async function runWithServers(args) {
  const servers = [];
  try {
    const broker = await obtainTestBroker();
    servers.push(broker);
    const database = await obtainTestDatabase();
    servers.push(database);
    console.log(`Testing on the broker from ${broker.origin}, PostgreSQL from ${database.origin}`);
    const urls = { AMQP_URL: broker.url, TEST_DATABASE_URL: database.url };
    return await runVitest(args, { ...process.env, ...urls });
  } catch (error) {
    console.error(`${error.message}\n`);
    return { passed: 0, failed: 1, skipped: 0, failures: [error.message] };
  } finally {
    for (const server of servers) await server.stop();
  }
}

async function runVitest(args, env) {
  const folder = mkdtempSync(join(tmpdir(), 'warren-tests-'));
  const report = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  try {
    const exitCode = await runNode([VITEST, 'run', ...reporters, ...args], env);
    return countTests(report, exitCode);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
